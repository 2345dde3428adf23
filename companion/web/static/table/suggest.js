// Somebody has laid the card SUGGEST: the best plan comes up by itself, once; where the game knows no plans, what is
// awaited is said again.

import { said } from "../core/page.js";
import { toast } from "../core/toast.js";
import * as sheet from "../core/sheet.js";

const asked = () => document.querySelector("#suggest [data-suggest]")?.dataset || {};
let helped = asked().suggest;

// In a plan that is being made the suggestion stands beside what was chosen.
function plan(player) {
  const isOpen = sheet.kind() === "plan" && sheet.sheet.querySelector("#plan")?.dataset.player === player;
  return isOpen ? sheet.update({ chosen: "", suggest: "1" }) : sheet.open("plan", { player, suggest: "1" });
}

document.addEventListener("table:seen", () => {
  const { suggest, player, again } = asked();
  if (suggest && suggest !== helped) {
    if (again === undefined) plan(player).catch(() => toast(said.unsent, true));
    else document.dispatchEvent(new CustomEvent("table:again"));
  }
  helped = suggest;
});
