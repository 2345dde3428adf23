// Plans that open one player after the other, and the story after the end, over the middle of the page.  Nothing waits
// for it: whatever is tapped beside it counts, a tap on it or Escape ends it, and so does a focus that it would hide;
// a page that comes later shows how it all ended.
// Once somebody has acted, it ends after a while: the page below has news.  What tells how the game ended covers all
// that says so before, and what the page would say aloud is said at its end.

import "/static/table/switches.js";

const NEWS_WAIT = 6000; // milliseconds

let last = Number(document.getElementById("unfolding")?.dataset.entry ?? 0);
let stage = null;
let late = 0; // the timer that ends it once the page below has news
let shown; // the version of the table that the page below shows

function placed() {
  const middle = document.querySelector(".display-main, .table-main")?.getBoundingClientRect();
  if (!middle) return;
  const top = stage.querySelector("[data-head]") ? 0 : Math.max(0, middle.top);
  const foot = stage.querySelector("[data-whole]") ? innerHeight : Math.min(innerHeight, middle.bottom);
  Object.assign(stage.style, { top: `${top}px`, height: `${foot - top}px` });
}

// The middle becomes as large as it will be when its style has come.
const grows = new ResizeObserver(() => stage && placed());

function end() {
  grows.disconnect();
  clearTimeout(late);
  late = 0;
  stage?.remove();
  if (stage && "heldBack" in stage.dataset) {
    delete document.documentElement.dataset.heldBack;
    document.dispatchEvent(new Event("table:again"));
  }
  stage = null;
}

// A copy has no names of its own: each is there once on a page.
function copied(plan) {
  const copy = plan.cloneNode(true);
  for (const named of copy.querySelectorAll("[id]")) named.removeAttribute("id");
  return copy;
}

function play(plans, planMs, stepMs) {
  end();
  // Its style stays when the part that linked it leaves.
  document.head.append(
    ...[...document.querySelectorAll('#live [href*="/reveal.css"]')].map((link) => link.cloneNode()),
  );
  stage = document.createElement("div");
  const mine = stage;
  stage.id = "stage";
  stage.className = "stage";
  stage.setAttribute("aria-hidden", "true"); // the settled round says it to those who listen
  stage.addEventListener("click", end);
  if (plans.some((plan) => plan.matches(".account-step"))) {
    stage.dataset.heldBack = "";
    document.documentElement.dataset.heldBack = "";
  }
  document.getElementById("page").append(stage);
  const middle = document.querySelector(".display-main, .table-main");
  if (middle) grows.observe(middle);
  const next = () => {
    if (mine !== stage) return;
    const plan = plans.shift();
    if (!plan) return end();
    stage.replaceChildren(plan);
    placed();
    setTimeout(next, "long" in plan.dataset ? stepMs : planMs);
  };
  next();
}

document.addEventListener("table:shown", () => {
  const plans = document.getElementById("unfolding");
  const entry = Number(plans?.dataset.entry ?? 0);
  const tells = document.documentElement.dataset.headlines !== "off";
  const wished = [...(plans?.children ?? [])].filter((plan) => tells || !plan.matches(".dry"));
  const now = document.getElementById("state")?.dataset.version;
  if (stage && now !== shown) late ||= setTimeout(end, NEWS_WAIT);
  if (entry > last && wished.length) {
    play(wished.map(copied), Number(plans.dataset.planMs), Number(plans.dataset.stepMs));
  }
  last = Math.max(last, entry);
  shown = now;
});
addEventListener("resize", () => stage && placed());

// What lies over it, such as a sheet, is not hidden, and Escape closes that first.
const isCovered = () =>
  document.querySelector("dialog[open]") !== null ||
  (CSS.supports("selector(:popover-open)") && document.querySelector(":popover-open") !== null);
addEventListener("keydown", ({ key }) => {
  if (stage && key === "Escape" && !isCovered()) end();
});
addEventListener("focusin", ({ target }) => {
  if (!stage || isCovered() || !target.matches(":focus-visible")) return;
  const [focus, hidden] = [target, stage].map((element) => element.getBoundingClientRect());
  if (focus.bottom > hidden.top && focus.top < hidden.bottom) end();
});
