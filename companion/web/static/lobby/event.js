// An event: its tables as they go on, those that are not opened yet, and all of them into the bin or out of it.

import { children } from "../core/morph.js";
import { get, leave, post } from "../core/http.js";
import { repeat } from "../core/repeat.js";
import { opened } from "./opening.js";

const EVERY_MS = 5_000;
const main = document.querySelector("[data-event]");
const tables = document.getElementById("tables");
const problem = document.getElementById("problem");
const opening = main.querySelector("[data-opening]");
const { event } = main.dataset;

async function poll() {
  const answer = await get(`/events/${event}?part=tables`);
  if (!answer.ok) throw new Error(String(answer.status));
  if (answer.redirected) {
    leave();
    return;
  }
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  children(tables, fresh.content);
}

async function moved(into) {
  let left = 1;
  while (left) {
    // each request stands on the one before
    const answer = await post(`/api/v1/events/${event}/bin`, { in: into }, { patience: 20_000 });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.detail);
    left = body.left;
  }
}

async function tried(button, act) {
  problem.textContent = "";
  button.disabled = true;
  try {
    await act();
    location.reload();
  } catch (error) {
    problem.textContent = error.name === "Error" ? error.message : main.dataset.lost;
    button.disabled = false;
  }
}

opening.querySelector("[data-open]").addEventListener("click", ({ currentTarget }) => {
  const bar = opening.querySelector("progress");
  tried(currentTarget, () => opened({ id: event, opened: bar.value, tables: bar.max }, opening));
});
for (const button of main.querySelectorAll("[data-move]"))
  button.addEventListener("click", () => tried(button, () => moved(button.dataset.move === "true")));
document.dispatchEvent(new Event("page:ready"));
repeat(poll, () => EVERY_MS);
