// The plan of an event: who sits where is changed, tables are added and taken away, and opened tables follow.

import { get, post } from "../core/http.js";
import { opened } from "./opening.js";

const LONG = 30_000; // milliseconds: each table is tried before anything is stored
const form = document.getElementById("plan");
const tables = document.getElementById("tables");
const problem = document.getElementById("problem");
const save = form.querySelector("button.filled");
const { event, lost, table: numbered, away } = form.dataset;
let version = Number(form.dataset.version);

const made = (id) => document.getElementById(id).content.cloneNode(true).firstElementChild;
const named = (table) => table.querySelector("[name=table]").value.trim();
const titled = (table) => (/^[0-9]+$/.test(named(table)) ? numbered.replace("{number}", named(table)) : named(table));

const open = () => [...tables.querySelectorAll(".planned-table:not([data-begun])")];
const choices = (table) => table.querySelectorAll("select");

// Each seat may go to any table that has not begun, or away.  Of hundreds of tables only one seat at a time is told all
// of them: the one that is about to be moved.
let asked = null;

function folded(table, seats = choices(table)) {
  for (const choice of seats) choice.replaceChildren(new Option(titled(table)));
}

function fold() {
  if (asked?.isConnected) folded(asked.closest(".planned-table"), [asked]);
  asked = null;
}

function unfold(choice) {
  if (choice === asked) return;
  fold();
  asked = choice;
  const there = choice.closest(".planned-table");
  const all = open();
  choice.replaceChildren(
    ...all.map((table, number) => new Option(titled(table), String(number))),
    new Option(away, ""),
  );
  choice.selectedIndex = all.indexOf(there);
}

// A table at which nobody sits says what becomes of it.
function fit() {
  asked = null;
  for (const table of open()) {
    table.querySelector("[data-empty]").hidden = table.querySelector(".plan-seat") !== null;
    folded(table);
  }
}

function moved(choice) {
  const seat = choice.closest(".plan-seat");
  if (choice.value === "") seat.remove();
  else open()[Number(choice.value)].querySelector("ol").append(seat);
  fit();
  if (seat.isConnected) seat.querySelector("select").focus();
}

const players = (table) =>
  "begun" in table.dataset
    ? [...table.querySelectorAll("[data-player]")].map((seat) => seat.dataset.player)
    : [...table.querySelectorAll(".plan-seat > input")].map((seat) => seat.value.trim());

// Opened or planned ones from which everybody was taken are taken away; new ones that are empty are none.
const planned = () => [...tables.children].filter((table) => table.dataset.place || players(table).length > 0);

const plan = () => ({
  version,
  name: form.elements.name.value.trim(),
  when: form.elements.when.value.slice(0, 16),
  tables: planned().map((table) => ({
    ...(table.dataset.place ? { place: table.dataset.place, shown: JSON.parse(table.dataset.shown) } : {}),
    name: named(table),
    players: players(table),
  })),
});

// A plan that may be stored already, and its tables: its answer was lost, or not all are open yet.
let sent = null;

async function keep(wish) {
  sent ??= { wish, rows: planned() };
  const answer = await post(`/api/v1/events/${event}/plan`, wish, { patience: LONG });
  const body = await answer.json();
  if (answer.ok) return body;
  sent = null;
  throw new Error(body.detail || lost);
}

// What was changed since is a change of that one: sent again it counts once.
async function goOn() {
  await keep(sent.wish);
  const answer = await get(`/api/v1/events/${event}`);
  if (!answer.ok) throw new Error(lost);
  const stored = await answer.json();
  const places = sent.rows.map((table) => table.dataset.place);
  const added = stored.tables.filter(({ place }) => !places.includes(place));
  sent.rows.forEach(({ dataset }, at) => {
    const { players: names } = sent.wish.tables[at];
    if (names.length === 0) {
      delete dataset.place; // it is taken away
      return;
    }
    dataset.place ||= added.shift().place;
    dataset.shown = JSON.stringify(names);
  });
  version = stored.version;
  sent = null;
}

async function store() {
  problem.textContent = "";
  save.disabled = true;
  try {
    if (sent && JSON.stringify(sent.wish) !== JSON.stringify(plan())) await goOn();
    await opened(await keep(plan()), form.querySelector("[data-progress]"));
    location.assign(`/events/${event}`);
  } catch (error) {
    problem.textContent = error.name === "Error" ? error.message : lost;
    save.disabled = false;
  }
}

tables.addEventListener("change", ({ target }) => {
  if (target.matches("select")) moved(target);
});
for (const kind of ["pointerdown", "focusin"])
  tables.addEventListener(kind, ({ target }) => {
    if (target.matches("select")) unfold(target);
  });
tables.addEventListener("input", ({ target }) => {
  if (target.name !== "table") return;
  fold();
  const table = target.closest(".planned-table");
  if (!("begun" in table.dataset)) folded(table);
});
tables.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-add-seat]");
  if (!button) return;
  const seat = made("new-seat");
  button.closest(".planned-table").querySelector("ol").append(seat);
  fit();
  seat.querySelector("input").focus();
});
document.getElementById("add-table").addEventListener("click", () => {
  const table = made("new-table");
  const numbers = [...tables.children].map(named).filter((name) => /^[0-9]+$/.test(name));
  table.querySelector("[name=table]").value = String(Math.max(0, ...numbers.map(Number)) + 1);
  tables.append(table);
  fit();
  table.querySelector(".plan-seat > input").focus();
});
form.addEventListener("submit", (submitted) => {
  submitted.preventDefault();
  store();
});
fit();
if (document.activeElement.matches("#tables select")) unfold(document.activeElement); // touched before this was there
document.dispatchEvent(new Event("page:ready"));
