// The camera's sheet: another table to look at, cards laid under the simulated one.  Its picture: camera_view.js.

import { post } from "./send.js";
import * as sheet from "./sheet.js";

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
