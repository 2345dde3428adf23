// Seat the players and start.  Who sat here last time is remembered on this device.

import { again as asBefore, chosen } from "./lobby_rules.js";
import { keyOf, post } from "../core/http.js";
import { filled, initials } from "./letters.js";
import { seatPlayers } from "./round_table.js";
import "../core/theme.js";

const form = document.getElementById("new-game");
const seats = document.getElementById("players");
const problem = document.getElementById("problem");
const colours = form.dataset.colours.split(" ");
const KEPT = "companion.seats";
const [fewest, most] = [Number(form.dataset.fewest), Number(form.dataset.most)];

const colourOf = (seat) => seat.dataset.colour;
const all = () => [...seats.children];

function paint(seat, colour) {
  seat.dataset.colour = colour;
  const drawn = document.querySelector(`template[data-badge="${colour}"]`);
  const badge = seat.querySelector("[data-act=colour]");
  badge.replaceChildren(drawn.content.cloneNode(true));
  relabel(seat);
}

const called = (seat) =>
  seat.querySelector(".seat-name").value.trim() || form.dataset.names.split("|")[colours.indexOf(colourOf(seat))];

function relabel(seat) {
  const badge = seat.querySelector("[data-act=colour]");
  const colour = document.querySelector(`template[data-badge="${colourOf(seat)}"]`).dataset.called;
  badge.setAttribute("aria-label", filled(badge.dataset.label.replace("{colour}", colour), "{name}", called(seat)));
}

function seat({ id: colour, name, ...wished }, first) {
  const made = document.getElementById("seat").content.cloneNode(true).firstElementChild;
  made.querySelector(".seat-name").value = name;
  made.querySelector(".seat-name").placeholder = form.dataset.names.split("|")[colours.indexOf(colour)];
  made.querySelector("[name=first]").checked = first;
  for (const field of made.querySelectorAll(".seat-choice")) {
    const choice = [...field.options].find(({ value }) => value === wished[field.dataset.choice]);
    if (choice) choice.selected = true;
  }
  seats.append(made);
  paint(made, colour);
}

function show() {
  const rows = all();
  const count = document.getElementById("player-count");
  count.textContent = count.dataset.template.replace("{count}", String(rows.length));
  document.getElementById("add-player").hidden = rows.length >= Math.min(colours.length, most);
  if (!rows.some((row) => row.querySelector("[name=first]").checked))
    rows[0].querySelector("[name=first]").checked = true;
  for (const row of rows) row.querySelector("[data-act=remove]").disabled = rows.length <= fewest;
  round();
}

// Who is about to play stands on a big screen while it is typed; without one nothing is lost.
const TYPING_MS = 200;
let typing = 0;
function tell() {
  clearTimeout(typing);
  typing = setTimeout(() => {
    const players = all().map((row) => ({ id: colourOf(row), name: row.querySelector(".seat-name").value.trim() }));
    post("/api/v1/lobby", { game: form.dataset.game, players }).catch(() => {});
  }, TYPING_MS);
}

// What a player chooses beside name and colour; the first of each is usual, and is not said.
const choices = (row) =>
  Object.fromEntries(
    [...row.querySelectorAll(".seat-choice")]
      .filter((field) => field.selectedIndex > 0)
      .map((field) => [field.dataset.choice, field.value]),
  );

// Who sits here now: on this page until a game begins, whatever else is chosen, and then on this device.
function keep(where) {
  const rows = all().map((row) => ({
    id: colourOf(row),
    name: row.querySelector(".seat-name").value.trim(),
    ...choices(row),
  }));
  const first = colourOf(all().find((row) => row.querySelector("[name=first]").checked));
  try {
    where().setItem(KEPT, JSON.stringify({ rows, first, again: form.dataset.again }));
  } catch {
    // without a place to keep them, the names are typed again the next time
  }
  return { rows, first };
}

// The same order twice: as a list to write names in, and round the table as people sit.
function round() {
  const badges = initials(all().map(called));
  all().forEach((row, at) => (row.querySelector(".badge text").textContent = badges[at]));
  keep(() => sessionStorage);
  tell();
  seatPlayers(
    all().map((row) => ({
      name: called(row),
      badge: row.querySelector(".badge"),
      first: row.querySelector("[name=first]").checked,
    })),
    (first, other) => {
      const rows = all();
      [rows[first], rows[other]] = [rows[other], rows[first]];
      seats.append(...rows);
      show();
    },
  );
}

const free = () => colours.filter((colour) => !all().some((row) => colourOf(row) === colour));

seats.addEventListener("click", (event) => {
  const act = event.target.closest("[data-act]")?.dataset.act;
  const row = event.target.closest("li");
  if (act === "remove") row.remove();
  if (act === "colour") {
    const next = colours[(colours.indexOf(colourOf(row)) + 1) % colours.length];
    const other = all().find((row) => colourOf(row) === next);
    const mine = colourOf(row);
    paint(row, next);
    if (other) paint(other, mine);
  }
  if (act) show();
});
seats.addEventListener("input", (event) => {
  if (event.target.matches(".seat-name")) relabel(event.target.closest("li"));
  round();
});
document.getElementById("add-player").addEventListener("click", () => {
  seat({ id: free()[0], name: "" }, false);
  show();
  seats.lastElementChild.querySelector(".seat-name").focus();
});

document.getElementById("draw-first").addEventListener("click", () => {
  const rows = all();
  const drawn = Math.floor((crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32) * rows.length);
  rows[drawn].querySelector("[name=first]").checked = true;
  round();
});

// Which notes change hands is told at this table, on every device that does not wish otherwise.
const handNotes = (table) => post(`/api/v1/tables/${table}/notes`, { told: true });

// The phones and screens of the last game go on to this one, unless somebody wishes otherwise.
const coming = () => {
  const wished = document.getElementById("come-along")?.checked ?? true;
  return wished && form.dataset.follows ? `?follows=${encodeURIComponent(form.dataset.follows)}` : "";
};

let busy = false;
const keys = keyOf();

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (busy) return;
  const { rows, first } = keep(() => sessionStorage);
  const names = rows.map((row) => row.name.toLowerCase()).filter(Boolean);
  problem.textContent =
    rows.length < fewest ? form.dataset.few : new Set(names).size < names.length ? form.dataset.same : "";
  if (problem.textContent) return;
  const players = rows.map(({ name, ...seat }) => ({ ...seat, ...(name ? { name } : {}) }));
  const deck = form.querySelector("[name=catalog]:checked")?.value || "house";
  busy = true;
  keep(() => localStorage);
  try {
    const begun = { do: "start_game", game: form.dataset.game, catalog: deck, first, players, ...chosen() };
    const address = `/api/v1/tables${coming()}`;
    const answer = await post(address, begun, { headers: keys(address + JSON.stringify(begun)) });
    const body = await answer.json();
    if (answer.ok) {
      if (form.querySelector("[name=money]:checked")?.value === "notes") await handNotes(body.id).catch(() => {});
      location.assign(`/tables/${body.id}`);
      return;
    }
    keys("");
    problem.textContent = body.detail || form.dataset.lost;
  } catch {
    problem.textContent = form.dataset.lost;
  }
  busy = false;
});

function kept(where) {
  try {
    return JSON.parse(where().getItem(KEPT)) || {};
  } catch {
    return {}; // a device that keeps nothing begins with empty seats
  }
}

// Who was about to play here; what was played last, where somebody wants to play it again; else who sat at this device.
function before() {
  const typed = kept(() => sessionStorage);
  if (form.dataset.again) {
    const last = JSON.parse(form.dataset.again);
    for (const [name, value] of Object.entries({ catalog: last.catalog, money: last.notes ? "notes" : "app" })) {
      const wished = form.querySelector(`[name=${name}][value="${value}"]`);
      if (wished) wished.checked = true;
    }
    asBefore(last);
    return typed.again === form.dataset.again ? typed : { rows: last.players, first: last.first };
  }
  return typed.again === "" ? typed : kept(() => localStorage);
}

function begin() {
  const last = before();
  const rows = (last.rows || []).filter((row) => colours.includes(row.id));
  const players =
    rows.length >= fewest && rows.length <= most
      ? rows
      : colours.slice(0, Math.min(3, most)).map((id) => ({ id, name: "" }));
  players.forEach((row) => seat(row, row.id === last.first));
  show();
}

begin();
document.dispatchEvent(new Event("page:ready"));
