// Games that are kept: into the bin and out of it, and opened from a file.

import { onTapBeside } from "../core/beside.js";
import { keyOf, post } from "../core/http.js";

const LONG = 60_000; // every line of a play file is decided before any is kept

const bin = document.getElementById("to-bin");
const problem = document.getElementById("problem");
const file = document.getElementById("play-file");
const lost = document.querySelector("[data-lost]").dataset.lost;
const keys = keyOf();
let asked = null;

const filled = (place, body) => {
  place.textContent = place.dataset.template.replace(/{(\w+)}/g, (_, key) => body[key]);
};

async function move(table, into) {
  const answer = await post(`/api/v1/tables/${table}/bin`, { in: into });
  if (!answer.ok && answer.status !== 404) throw new Error((await answer.json()).detail);
  location.reload(); // also where another tablet was quicker
}

const tried = (doing) =>
  doing.catch(({ name, message }) => {
    problem.textContent = (name === "Error" && message) || lost;
  });

document.addEventListener("click", (event) => {
  const away = event.target.closest("[data-to-bin]");
  if (away) {
    asked = away.dataset.toBin;
    for (const place of bin.querySelectorAll("[data-template]")) filled(place, away.dataset);
    bin.returnValue = "";
    bin.showModal();
  }
  const back = event.target.closest("[data-bring-back]");
  if (back) tried(move(back.dataset.bringBack, false));
  const damaged = event.target.closest("[data-play-on]");
  if (damaged) tried(playedOn(damaged.dataset.playOn));
});
onTapBeside(bin, () => bin.close(""));
bin.addEventListener("close", () => {
  if (bin.returnValue === "bin") tried(move(asked, true));
});

async function playedOn(table) {
  const answer = await post(`/api/v1/tables/${table}/play-on`, {});
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.detail);
  location.assign(`/tables/${body.id}`);
}

async function opened(chosen) {
  const headers = keys(await chosen.text());
  const answer = await post("/api/v1/tables", chosen, { type: "application/jsonl", patience: LONG, headers });
  const body = await answer.json();
  if (!answer.ok) keys("");
  if (answer.ok) location.assign(`/tables/${body.id}`);
  else if (body.line)
    problem.textContent = problem.dataset.line.replace("{line}", body.line).replace("{detail}", body.detail);
  else problem.textContent = body.detail || lost;
}

file?.addEventListener("change", async () => {
  if (!file.files.length) return;
  problem.textContent = "";
  await tried(opened(file.files[0]));
  file.value = ""; // the same file may be chosen again
});

// In the lobby that is said by the script that comes last there.
if (!document.querySelector('script[src*="/lobby.js"]')) document.dispatchEvent(new Event("page:ready"));
