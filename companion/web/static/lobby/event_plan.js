// The plan of an event: who sits where is changed, tables are added and taken away, and opened tables follow.

import { post } from "../core/http.js";
import { opened } from "./opening.js";

const LONG = 30_000; // milliseconds: each table is tried before anything is stored
const form = document.getElementById("plan");
const tables = document.getElementById("tables");
const problem = document.getElementById("problem");
const save = form.querySelector("button.filled");
const { event, version, lost, table: numbered, away } = form.dataset;

const made = (id) => document.getElementById(id).content.cloneNode(true).firstElementChild;
const named = (table) => table.querySelector("[name=table]").value.trim();
const titled = (table) => (/^[0-9]+$/.test(named(table)) ? numbered.replace("{number}", named(table)) : named(table));

// Each seat may go to any table that has not begun, or away; a table at which nobody sits says what becomes of it.
function fit() {
  const open = [...tables.querySelectorAll(".planned-table:not([data-begun])")];
  for (const table of open) {
    table.querySelector("[data-empty]").hidden = table.querySelector(".plan-seat") !== null;
    for (const choice of table.querySelectorAll("select")) {
      const choices = open.map((each, number) => new Option(titled(each), String(number), each === table));
      choice.replaceChildren(...choices, new Option(away, ""));
      choice.selectedIndex = open.indexOf(table);
    }
  }
}

function moved(choice) {
  const seat = choice.closest(".plan-seat");
  const open = tables.querySelectorAll(".planned-table:not([data-begun])");
  if (choice.value === "") seat.remove();
  else open[Number(choice.value)].querySelector("ol").append(seat);
  fit();
  if (seat.isConnected) seat.querySelector("select").focus();
}

const players = (table) =>
  "begun" in table.dataset
    ? [...table.querySelectorAll("[data-player]")].map((seat) => seat.dataset.player)
    : [...table.querySelectorAll(".plan-seat > input")].map((seat) => seat.value.trim());

function plan() {
  const planned = [...tables.children].map((table) => ({
    ...(table.dataset.place ? { place: table.dataset.place, shown: JSON.parse(table.dataset.shown) } : {}),
    name: named(table),
    players: players(table),
  }));
  return {
    version: Number(version),
    name: form.elements.name.value.trim(),
    when: form.elements.when.value.slice(0, 16),
    tables: planned.filter((table) => table.players.length > 0),
  };
}

async function store() {
  problem.textContent = "";
  save.disabled = true;
  try {
    const answer = await post(`/api/v1/events/${event}/plan`, plan(), { patience: LONG });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.detail || lost);
    await opened(body, form.querySelector("[data-progress]"));
    location.assign(`/events/${event}`);
  } catch (error) {
    problem.textContent = error.name === "Error" ? error.message : lost;
    save.disabled = false;
  }
}

tables.addEventListener("change", ({ target }) => {
  if (target.matches("select")) moved(target);
});
tables.addEventListener("input", ({ target }) => {
  if (target.name === "table") fit();
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
document.dispatchEvent(new Event("page:ready"));
