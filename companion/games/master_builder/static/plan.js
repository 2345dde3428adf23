// A building plan in the making: a worker and a section are tapped, whichever first.  The server says what it would
// come to.  What is not locked yet outlives a reload on this device.

import { on } from "/static/core/actions.js";
import { said, table } from "/static/core/page.js";
import { sheet, update } from "/static/core/sheet.js";
import { toast } from "/static/core/toast.js";

const plan = () => sheet.querySelector("#plan");
const work = () => JSON.parse(plan().dataset.work);
const place = (draft) => `companion.plan.${table}.${draft.player}.${draft.round}`;

function kept(draft) {
  try {
    return localStorage.getItem(place(draft));
  } catch {
    return null; // a device that keeps nothing begins with an empty plan
  }
}

function keep(text) {
  try {
    if (text) localStorage.setItem(place(plan().dataset), text);
    else localStorage.removeItem(place(plan().dataset));
  } catch {
    // Then it lasts as long as the page.
  }
}

function without(draft, worker) {
  for (const sections of Object.values(draft)) {
    for (const [section, team] of Object.entries(sections)) {
      sections[section] = team.filter((member) => member !== worker);
      if (!sections[section].length) delete sections[section];
    }
  }
  return draft;
}

function show(draft, chosen = "", at = "", more = {}) {
  const text = JSON.stringify(draft);
  keep(text === "{}" ? "" : text);
  // The next tap goes on from here, also before the server has said what this one comes to; but nothing is locked that
  // does not stand on the screen.
  Object.assign(plan().dataset, { work: text, chosen, at });
  for (const lock of plan().querySelectorAll("[data-command]")) lock.disabled = true;
  return update({ work: text, chosen, place: at, ...more }).catch(() => toast(said.unsent, true));
}

function put(worker, at) {
  const [contract, section] = at.split("|");
  const draft = without(work(), worker);
  draft[contract] = { ...draft[contract], [section]: [...(draft[contract]?.[section] || []), worker] };
  return draft;
}

// Before the sheet is asked for: with what was laid out when the page was left.
document.addEventListener(
  "click",
  (event) => {
    const opens = event.target.closest?.("[data-sheet=plan]");
    if (opens) opens.dataset.work = kept(opens.dataset) || "";
  },
  true,
);
on("#sheet [data-cover]", () => {
  const over = sheet.querySelector("#cover");
  over.hidden = !over.hidden;
});
on("#sheet [data-worker]", (card) => {
  const { worker } = card.dataset;
  const { at, chosen } = plan().dataset;
  if (at && card.classList.contains("can")) return show(put(worker, at), "", at);
  return show(work(), chosen === worker ? "" : worker);
});
on("#sheet [data-place]", ({ dataset: { place: at } }) => {
  const { chosen, at: before } = plan().dataset;
  if (chosen) return show(put(chosen, at));
  return show(work(), "", before === at ? "" : at);
});
on("#sheet [data-unplace]", ({ dataset: { unplace } }) => {
  const [contract, section] = unplace.split("|");
  const draft = work();
  delete draft[contract][section];
  return show(draft, "", unplace);
});
on("#sheet [data-mend]", ({ dataset }) => {
  const { contract, section, out, instead } = JSON.parse(dataset.mend);
  const draft = work();
  const team = (draft[contract]?.[section] || []).filter((worker) => worker !== out && (out || instead));
  if (instead) team.push(instead);
  if (team.length) draft[contract][section] = team;
  else delete draft[contract]?.[section];
  return show(draft);
});
on("#sheet [data-suggest]", ({ dataset: { suggest } }) =>
  update({ chosen: "", suggest }).catch(() => toast(said.unsent, true)),
);
on("#sheet [data-take]", ({ dataset: { take } }) => show(JSON.parse(take), "", "", { suggest: "" }));
on("#sheet [data-clear]", () => show({}));
document.addEventListener("click", (event) => event.target.closest?.("#plan [data-then-close]") && keep(""), true);
