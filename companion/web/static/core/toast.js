// One short message at a time: six seconds, or until it is tapped; it stays while touched.

const place = document.getElementById("toast");
const SHOWN = 6_000; // milliseconds
let timer = 0;

const hide = () => {
  place.hidden = true;
};

// A quiet way from a refusal to the rule behind it.
function why(rule) {
  const link = document.createElement("a");
  Object.assign(link, {
    className: "why-link",
    href: rule.type,
    textContent: document.getElementById("page").dataset.why,
  });
  link.dataset.rule = rule.rule;
  return link;
}

export function toast(text, no = false, rule = null) {
  clearTimeout(timer);
  // A dialog covers the page: the message has to lie on top of it.
  const open = document.querySelector("dialog[open]");
  (open || document.body).append(place);
  place.textContent = text;
  if (rule) place.append(" ", why(rule));
  place.classList.toggle("no", no);
  place.hidden = false;
  if (no) document.dispatchEvent(new CustomEvent("table:refused", { detail: text }));
  timer = setTimeout(hide, SHOWN);
}

place?.addEventListener("pointerdown", () => clearTimeout(timer));
for (const over of ["pointerup", "pointercancel"]) {
  addEventListener(over, () => {
    if (!place || place.hidden) return;
    clearTimeout(timer);
    timer = setTimeout(hide, SHOWN);
  });
}
place?.addEventListener("click", hide);
