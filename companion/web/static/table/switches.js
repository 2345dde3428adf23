// What is told until somebody wishes it away on this device: headlines and story, and what a player needs.

import { keep, kept } from "../core/cookies.js";

const NAMES = ["headlines", "needs"];

function show() {
  for (const name of NAMES) document.documentElement.dataset[name] = kept(`no_${name}`) ? "off" : "on";
  for (const button of document.querySelectorAll("[data-switch]")) {
    const off = kept(`no_${button.dataset.switch}`);
    button.setAttribute("aria-pressed", String(!off));
    button.querySelector("small").textContent = off ? button.dataset.off : button.dataset.on;
  }
}
document.addEventListener("table:shown", show);
document.addEventListener("click", (event) => {
  const name = event.target.closest("[data-switch]")?.dataset.switch;
  if (!name) return;
  keep(`no_${name}`, kept(`no_${name}`) ? 0 : 1);
  show();
});
show();
