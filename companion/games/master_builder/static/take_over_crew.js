// A player's workers tapped from the deck's cards; the field keeps their numbers, and can be typed into as well.

import { onTapBeside } from "/static/core/beside.js";
import { filled } from "/static/lobby/letters.js";

const form = document.getElementById("take-over");
const crew = document.getElementById("crew");
const title = document.getElementById("crew-title");
const sum = document.getElementById("crew-wages");
const marks = () => [...crew.querySelectorAll("section:not([hidden]) input")];
let seat = null;

const numbers = (field) => (field.value.match(/\d+/g) || []).map((digits) => `W${digits.padStart(2, "0")}`);
const crewOf = (player) =>
  player.querySelector("[data-plays]").checked ? numbers(player.querySelector("[data-workers]")) : [];

let crews = {}; // what the rules say of everybody's workers

const count = () => (sum.textContent = (seat && crews[seat.dataset.player]) || "");
form.addEventListener("begun:crews", ({ detail }) => {
  crews = detail;
  count();
});

function open(player) {
  seat = player;
  const name = seat.querySelector("[data-name]");
  title.textContent = filled(title.dataset.template, "{name}", name.value.trim() || name.placeholder);
  const deck = form.querySelector("[name=catalog]:checked")?.value;
  for (const section of crew.querySelectorAll("section")) section.hidden = section.dataset.deck !== deck;
  const others = [...form.querySelectorAll("[data-player]")].filter((other) => other !== seat).flatMap(crewOf);
  const mine = crewOf(seat);
  for (const mark of marks()) {
    mark.checked = mine.includes(mark.value);
    mark.disabled = others.includes(mark.value) && !mark.checked;
    mark.nextElementSibling.classList.toggle("away", mark.disabled);
  }
  count();
  crew.showModal();
}

crew.addEventListener("change", () => {
  const field = seat.querySelector("[data-workers]");
  const listed = marks().map((mark) => mark.value);
  const kept = numbers(field).filter((card) => !listed.includes(card)); // what no card has the rules name
  const chosen = marks()
    .filter((mark) => mark.checked)
    .map((mark) => mark.value);
  field.value = [...chosen, ...kept]
    .map((card) => Number(card.slice(1)))
    .sort((first, other) => first - other)
    .join(" ");
  field.dispatchEvent(new Event("input", { bubbles: true }));
});
onTapBeside(crew, () => crew.close());
crew.addEventListener("click", (event) => {
  if (event.target.closest("[data-crew-close]")) crew.close();
});
form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-pick-workers]");
  if (button) open(button.closest("[data-player]"));
});
