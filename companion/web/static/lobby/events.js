// Several tables at once: people are seated, looked at, and then the tables are opened, a second's worth at a time.

import { chosen } from "./lobby_rules.js";
import { post, randomKey } from "../core/http.js";
import { opened } from "./opening.js";
import "../core/theme.js";

const form = document.getElementById("new-event");
const problem = document.getElementById("problem");
const dialog = document.getElementById("seating");
const planned = dialog.querySelector("[data-planned]");
const wrong = dialog.querySelector("[data-problem]");
const openers = dialog.querySelectorAll("button");
const LONG = 30_000; // milliseconds: each table is tried before anything is opened
let tables = [];
let key = ""; // of the seating that is shown: its event is stored once, however often it is sent
let begun = null; // the event of that seating, once it is stored

const order = () => form.querySelector("[name=order]:checked").value;
const number = (name) => {
  const { value } = form.elements[name];
  return value === "" ? {} : { [name]: Number(value) };
};

function fit() {
  for (const part of form.querySelectorAll("[data-for-order]"))
    part.hidden = !part.dataset.forOrder.split(" ").includes(order());
}

function show() {
  planned.replaceChildren(
    ...tables.map(({ name, players }) => {
      const made = document.getElementById("planned").content.cloneNode(true).firstElementChild;
      made.querySelector("b").textContent = /^[0-9]+$/.test(name) ? form.dataset.table.replace("{number}", name) : name;
      for (const player of players) {
        const seat = document.createElement("li");
        seat.textContent = player || form.dataset.free;
        made.querySelector("ol").append(seat);
      }
      return made;
    }),
  );
  const summary = dialog.querySelector("[data-summary]");
  const { one, many } = summary.dataset;
  summary.textContent = tables.length === 1 ? one : many.replace("2", String(tables.length));
  dialog.querySelector("[data-again]").hidden = order() !== "random" || !form.elements.people.value.trim();
}

async function seat(where) {
  where.textContent = "";
  const wish = { game: form.dataset.game, people: form.elements.people.value, order: order() };
  const numbers = order() === "listed" ? {} : { ...number("tables"), ...number("seats") };
  try {
    const answer = await post("/api/v1/events/seating", { ...wish, ...numbers });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.detail || form.dataset.lost);
    tables = body.tables;
    key = randomKey();
    begun = null;
    show();
    wrong.textContent = "";
    if (!dialog.open) dialog.showModal();
  } catch (error) {
    where.textContent = error instanceof TypeError ? form.dataset.lost : error.message;
  }
}

async function begin() {
  const rules = { rules: {}, variants: [], ...chosen() };
  const event = {
    name: form.elements.name.value.trim(),
    when: form.elements.when.value.slice(0, 16),
    game: form.dataset.game,
    catalog: form.querySelector("[name=catalog]:checked")?.value || "house",
    ...rules,
    tables,
  };
  const answer = await post("/api/v1/events", event, { headers: { "Idempotency-Key": key }, patience: LONG });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.detail || form.dataset.lost);
  return body;
}

async function open() {
  wrong.textContent = "";
  for (const button of openers) button.disabled = true;
  try {
    begun ??= await begin();
    await opened(begun, dialog.querySelector("[data-progress]"));
    location.assign(`/events/${begun.id}`);
  } catch (error) {
    wrong.textContent = error.name === "Error" ? error.message : form.dataset.lost;
    for (const button of openers) button.disabled = false;
    if (begun) dialog.querySelector("[data-again]").hidden = true; // who sits where is stored
  }
}

form.addEventListener("change", fit);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  seat(problem);
});
dialog.querySelector("[data-again]").addEventListener("click", () => seat(wrong));
dialog.querySelector("[data-open]").addEventListener("click", open);
dialog.querySelector("[data-back]").addEventListener("click", () => dialog.close());
dialog.addEventListener("close", () => {
  if (begun) location.assign(`/events/${begun.id}`);
});
fit();
document.dispatchEvent(new Event("page:ready"));
