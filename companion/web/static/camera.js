// The camera's sheet: its picture once a second, another table to look at, cards laid under the simulated one.

import { lost } from "./page.js";
import { post } from "./send.js";
import * as sheet from "./sheet.js";

const EVERY = 1000;

// What is asked now.  A card that was laid leads to a question; then the sheet makes way for it.
const asked = () => {
  const shown = document.querySelector("#live [data-proposal]");
  return shown ? `${shown.dataset.proposal}/${shown.dataset.waiting}` : "";
};
let before = null;

export async function tapped(target) {
  if (sheet.kind() !== "camera") return false;
  const { deck, zone } = target.closest("[data-deck], [data-zone]")?.dataset || {};
  if (deck || zone) {
    await sheet.update(deck ? { deck } : { zone });
    return true;
  }
  const { lay, takeAway } = target.closest("[data-lay], [data-take-away]")?.dataset || {};
  if (lay) {
    before = asked();
    const where = sheet.sheet.querySelector("[data-zone][aria-pressed=true]")?.dataset;
    if (!(await post("simulated", { lay, ...where }))) before = null;
    return true;
  }
  if (takeAway) await post("simulated", { take_away: takeAway });
  else if (target.closest("[data-look-here]")) await post("camera", {});
  else return false;
  return true;
}

export function shown() {
  if (sheet.kind() !== "camera") before = null;
  else if (before !== null && asked() && asked() !== before) {
    before = null;
    sheet.close();
  }
}

setInterval(() => {
  const picture = sheet.sheet.querySelector("img[data-live]");
  if (!picture?.complete || document.hidden || lost()) return;
  picture.src = `${picture.dataset.live}?at=${Date.now()}`;
}, EVERY);
