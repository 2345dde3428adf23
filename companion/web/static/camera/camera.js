// The camera's sheet: another table to look at, cards laid under the simulated one.  Its picture: camera_view.js.

import { on } from "../core/actions.js";
import { said } from "../core/page.js";
import { post } from "../core/send.js";
import * as sheet from "../core/sheet.js";
import { toast } from "../core/toast.js";

// What is asked now.  A card that was laid leads to a question; then the sheet makes way for it.
const asked = () => {
  const shown = document.querySelector("#live [data-proposal]");
  return shown ? `${shown.dataset.proposal}/${shown.dataset.waiting}` : "";
};
let before = null;

const show = (what) => sheet.update(what).catch(() => toast(said.unsent, true));
on("#sheet [data-deck]", ({ dataset }) => show({ deck: dataset.deck }));
on("#sheet [data-zone]", ({ dataset }) => show({ zone: dataset.zone }));
const change = async (what) => {
  before = asked();
  if (!(await post("simulated", what))) before = null;
};
on("#sheet [data-lay]", ({ dataset }) => {
  const where = sheet.sheet.querySelector("[data-zone][aria-pressed=true]")?.dataset;
  return change({ lay: dataset.lay, ...where });
});
on("#sheet [data-throw]", ({ dataset }) =>
  change({ throw: Array.from({ length: Number(dataset.throw) }, () => 1 + Math.floor(6 * Math.random())) }),
);
on("#sheet [data-take-away]", ({ dataset }) => post("simulated", { take_away: dataset.takeAway }));
on("#sheet [data-look-here]", () => post("camera", {}));

function shown() {
  if (sheet.kind() !== "camera") before = null;
  else if (before !== null && asked() && asked() !== before) {
    before = null;
    sheet.close();
  }
}
document.addEventListener("table:shown", shown);
document.addEventListener("table:seen", shown);
