// What this device tells beside the game: headlines and story, and what a player needs, until somebody wishes them
// away; the standing in worth, and advice, once somebody wishes them.

import { keep, kept } from "../core/cookies.js";

const AT_FIRST = { headlines: true, needs: true, worth: false, advice: false };
const cookie = (name) => (AT_FIRST[name] ? `no_${name}` : name);
const isOn = (name) => kept(cookie(name)) !== AT_FIRST[name];

function show() {
  for (const name of Object.keys(AT_FIRST)) document.documentElement.dataset[name] = isOn(name) ? "on" : "off";
  for (const button of document.querySelectorAll("[data-switch]")) {
    const on = isOn(button.dataset.switch);
    button.setAttribute("aria-pressed", String(on));
    button.querySelector("small").textContent = on ? button.dataset.on : button.dataset.off;
  }
}
document.addEventListener("table:shown", show);
document.addEventListener("click", (event) => {
  const name = event.target.closest("[data-switch]")?.dataset.switch;
  if (!name) return;
  keep(cookie(name), kept(cookie(name)) ? 0 : 1);
  show();
});
show();
