// A building plan in the making: tap a worker, tap a section.  The server says what it would come to.

import { on } from "/static/core/actions.js";
import { sheet, update } from "/static/core/sheet.js";

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

on("#sheet [data-cover]", () => {
  const over = sheet.querySelector("#cover");
  over.hidden = !over.hidden;
});
on("#sheet [data-worker]", ({ dataset: { worker } }) => show(work(), plan().dataset.chosen === worker ? "" : worker));
on("#sheet [data-place]", ({ dataset }) => {
  const [contract, section] = dataset.place.split("|");
  const chosen = plan().dataset.chosen;
  const draft = work();
  const team = draft[contract]?.[section] || [];
  if (chosen && !team.includes(chosen)) {
    without(draft, chosen);
    draft[contract] = { ...draft[contract], [section]: [...team, chosen] };
  } else if (!chosen) {
    if (!team.length) return;
    delete draft[contract][section];
  }
  show(draft, "");
});
on("#sheet [data-suggest]", () => update({ chosen: "", suggest: "1" }));
on("#sheet [data-clear]", () => show({}, ""));
