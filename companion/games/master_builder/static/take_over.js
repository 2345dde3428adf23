// A game already begun: what lies on the table becomes one position, which the rules check.

import { chosen } from "/static/lobby/lobby_rules.js";
import { sendBody } from "/static/core/http.js";
import { initials } from "/static/lobby/letters.js";
import { form, playing, taking } from "/static/lobby/take_over_form.js";
import "/static/core/theme.js";

const bank = document.getElementById("bank");
const deck = document.getElementById("deck-left");
const lots = [...form.querySelectorAll("[data-contract]")];
const seats = [...form.querySelectorAll("[data-player]")];

const PAUSE = 150; // milliseconds without a key, before it is reckoned again
let waiting = 0;
let asked = 0;

const whole = (field) => Math.trunc(Number(field.value)) || 0;

// "7, w12 31" are the cards W07, W12, W31; whatever is no number is left for the rules to name.
const cards = (field, letter) =>
  field.value
    .split(/[\s,;.]+/)
    .filter(Boolean)
    .map((word) => (/^[a-z]?\d+$/i.test(word) ? letter + word.replace(/\D/g, "").padStart(2, "0") : word));

const place = (lot) => lot.querySelector("[data-place]").value;
const built = (lot) => [...lot.querySelectorAll("[data-section]:checked")].map((section) => section.dataset.section);
const paid = (lot) => lot.querySelector("[data-paid]").checked;

function player(seat) {
  const mine = lots.filter((lot) => place(lot) === seat.dataset.player);
  return {
    name: called(seat),
    cash: whole(seat.querySelector("[data-cash]")),
    workers: cards(seat.querySelector("[data-workers]"), "W"),
    contracts: Object.fromEntries(mine.filter((lot) => !paid(lot)).map((lot) => [lot.dataset.contract, built(lot)])),
    completed: mine.filter(paid).map((lot) => lot.dataset.contract),
    loans: { small: whole(seat.querySelector("[data-small]")), large: whole(seat.querySelector("[data-large]")) },
  };
}

function called(seat) {
  const name = seat.querySelector("[data-name]");
  return name.value.trim() || name.placeholder;
}

const lying = (where) => lots.filter((lot) => place(lot) === where).map((lot) => lot.dataset.contract);

function position() {
  const last = document.getElementById("last-round").value;
  return {
    game: "master_builder",
    catalog: form.querySelector("[name=catalog]:checked")?.value || "house",
    ...chosen(),
    round: Number(form.querySelector("[name=round]:checked").value),
    phase: form.querySelector("[name=phase]:checked").value,
    start_player: form.querySelector("[name=start]:checked")?.value || "",
    players: Object.fromEntries(playing().map((seat) => [seat.dataset.player, player(seat)])),
    display: Object.fromEntries([
      ...lying("display").map((card) => [card, 0]),
      ...lying("premium").map((card) => [card, Number(form.dataset.premium)]),
    ]),
    removed: lying("removed"),
    turned: {
      events: cards(document.getElementById("events"), "E"),
      economy: cards(document.getElementById("economy"), "Y"),
    },
    ...(last ? { last_round: Number(last) } : {}),
  };
}

function show() {
  const players = playing();
  const badges = initials(players.map(called));
  for (const seat of seats) {
    const plays = players.includes(seat);
    const name = called(seat);
    const letters = plays ? badges[players.indexOf(seat)] : initials([name])[0];
    seat.classList.toggle("away", !plays);
    seat.querySelector(".begun-fields").hidden = !plays;
    seat.querySelector(".badge text").textContent = letters;
    const start = form.querySelector(`[data-start="${seat.dataset.player}"]`);
    start.hidden = !plays;
    start.querySelector("[data-called]").textContent = name;
    start.querySelector(".badge text").textContent = letters;
    if (!plays) start.querySelector("input").checked = false;
    for (const option of form.querySelectorAll(`[data-place] option[value="${seat.dataset.player}"]`)) {
      option.hidden = option.disabled = !plays;
      option.textContent = name;
    }
  }
  if (!form.querySelector("[name=start]:checked") && players.length)
    form.querySelector(`[name=start][value="${players[0].dataset.player}"]`).checked = true;
  for (const lot of lots) {
    const owned = players.some((seat) => seat.dataset.player === place(lot));
    if (!owned && seats.some((seat) => seat.dataset.player === place(lot)))
      lot.querySelector("[data-place]").value = "deck";
    lot.querySelector(".begun-sections").hidden = !owned;
    lot.classList.toggle("unseen-lot", place(lot) === "deck");
    for (const section of lot.querySelectorAll("[data-section]")) section.closest("label").hidden = paid(lot);
  }
  clearTimeout(waiting);
  waiting = setTimeout(reckon, PAUSE);
}

// What is left of money and cards is for the rules to say, of what was entered last.
async function reckon() {
  asked += 1;
  const mine = asked;
  const draft = JSON.stringify({ do: "take_over", position: position() });
  const answer = await sendBody(`/take-over/draft${location.search}`, draft, "application/json").catch(() => null);
  const said = answer?.ok ? await answer.json() : {};
  if (mine !== asked) return;
  for (const [place, note] of [
    [bank, said.bank],
    [deck, said.deck],
  ]) {
    place.textContent = note?.says || "";
    place.classList.toggle("bad", Boolean(note?.bad));
  }
  form.dispatchEvent(new CustomEvent("begun:crews", { detail: said.crews || {} }));
}

taking(position, show);
