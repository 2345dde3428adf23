// One short message at a time: six seconds, or until it is tapped; it stays while touched.

const place = document.getElementById("toast");
let timer = 0;

const hide = () => {
  place.hidden = true;
};

export function toast(text, no = false) {
  clearTimeout(timer);
  // A dialog covers the page: the message has to lie on top of it.
  const open = document.querySelector("dialog[open]");
  (open || document.body).append(place);
  place.textContent = text;
  place.classList.toggle("no", no);
  place.hidden = false;
  timer = setTimeout(hide, 6000);
}

place?.addEventListener("pointerdown", () => clearTimeout(timer));
place?.addEventListener("click", hide);
