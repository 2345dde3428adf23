// A building plan in the making: tap a worker, tap a section.  The server says what it would come to.

import { sheet, update } from "./sheet.js";

const plan = () => sheet.querySelector("#plan");
const work = () => JSON.parse(plan().dataset.work);

function without(draft, worker) {
  for (const sections of Object.values(draft)) {
    for (const [section, team] of Object.entries(sections)) {
      sections[section] = team.filter((one) => one !== worker);
      if (!sections[section].length) delete sections[section];
    }
  }
  return draft;
}

const show = (draft, chosen) => update({ work: JSON.stringify(draft), chosen: chosen || "", suggest: "" });

export function tapped(target) {
  if (!plan()) return false;
  const cover = target.closest("[data-cover]");
  if (cover) {
    const over = sheet.querySelector("#cover");
    over.hidden = !over.hidden;
    return true;
  }
  const worker = target.closest("[data-worker]")?.dataset.worker;
  if (worker) {
    show(work(), plan().dataset.chosen === worker ? "" : worker);
    return true;
  }
  const place = target.closest("[data-place]")?.dataset.place;
  if (place) {
    const [contract, section] = place.split("|");
    const chosen = plan().dataset.chosen;
    const draft = work();
    const team = draft[contract]?.[section] || [];
    if (chosen) {
      if (!team.includes(chosen)) {
        without(draft, chosen);
        ((draft[contract] ||= {})[section] ||= []).push(chosen);
      }
    } else if (team.length) delete draft[contract][section];
    else return true;
    show(draft, "");
    return true;
  }
  if (target.closest("[data-suggest]")) {
    update({ chosen: "", suggest: "1" });
    return true;
  }
  if (target.closest("[data-clear]")) {
    show({}, "");
    return true;
  }
  return false;
}
