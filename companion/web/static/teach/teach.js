// Teaching a box: one card after the other, each kept before the next is shown.

import { get, post, sendBody } from "../core/http.js";
import { laidOut, placed } from "./places.js";
import { values } from "./values.js";

const main = document.getElementById("teach");
const { box } = main.dataset;
const api = `/api/v1/boxes/${box}`;
const form = () => main.querySelector(".teach-card");

function wrong(words) {
  const line = main.querySelector(".wrong:not(.field-wrong)");
  line.textContent = words;
  line.hidden = !words;
}

const failed = () => wrong(main.dataset.lost);

let isChanged = false;
let shows = 0;
async function show(card) {
  const mine = ++shows;
  const answer = await get(`/boxes/${box}/cards/${card}`);
  if (!answer.ok) return wrong(main.dataset.unknown);
  const html = await answer.text();
  if (mine !== shows) return undefined; // another one was asked for meanwhile
  main.innerHTML = html;
  isChanged = false;
  history.replaceState(null, "", `/boxes/${box}?card=${card}`);
  main.querySelector("#card-title").focus({ preventScroll: true });
  scrollTo(0, 0);
  laidOut();
  preview().catch(failed); // nobody waits for it: a quick hand has the next card ready before
  return undefined;
}

// Go to another card: what was entered on this one is kept first.
const go = (card) => (isChanged ? keep(card) : show(card));

async function keep(next = "") {
  const { card, after } = form().dataset;
  const body = JSON.stringify(values(form()));
  const send = () => sendBody(`${api}/cards/${card}`, body, "application/json", { method: "PUT" });
  const answer = await send().catch(send); // the same again changes nothing
  if (answer.ok) return show(next || after || card);
  if (answer.status === 422) isChanged = false; // what is missing is said once: the next tap goes on without it
  const problem = await answer.json().catch(() => ({}));
  const field = problem.field && main.querySelector(`[data-name="${problem.field}"]`);
  if (!field) return wrong(problem.detail || main.dataset.lost);
  for (const place of main.querySelectorAll(".missing")) place.classList.remove("missing");
  for (const line of main.querySelectorAll(".field-wrong")) line.remove();
  field.classList.add("missing");
  const legend = field.querySelector("legend");
  const line = document.createElement("p");
  line.className = "wrong field-wrong";
  line.setAttribute("role", "alert");
  line.textContent = main.dataset.missing.replace("{field}", legend.textContent.trim());
  legend.after(line);
  field.scrollIntoView({ block: "center" });
  field.querySelector("input, button")?.focus({ preventScroll: true });
  return wrong("");
}

// The card as it would be, and what it does, said back.
let looked = 0;
async function preview() {
  const mine = ++looked;
  const { card } = form().dataset;
  const body = JSON.stringify(values(form()));
  const answer = await sendBody(`/boxes/${box}/cards/${card}/preview`, body, "application/json").catch(() => null);
  if (answer?.ok && mine === looked) main.querySelector("[data-preview-place]").innerHTML = await answer.text();
}

// What a choice proposes for other fields: the price that the last card of this type had.
function follow(input) {
  const proposed = JSON.parse(form().dataset.follows)[input.name]?.[input.value] || {};
  for (const [name, amount] of Object.entries(proposed)) {
    const field = main.querySelector(`[data-name="${name}"] [data-unit]`);
    if (field) field.querySelector("input").value = String(amount / Number(field.dataset.unit));
  }
}

function typed(button) {
  const pad = button.closest("[data-unit]");
  const input = pad.querySelector("input");
  // The first digit after coming to a card begins anew: what stood there was a proposal.
  const typed = "typed" in pad.dataset ? input.value : "";
  pad.dataset.typed = "";
  if ("erase" in button.dataset) input.value = input.value.slice(0, -1);
  else if ("sign" in button.dataset)
    input.value = input.value.startsWith("-") ? input.value.slice(1) : `-${input.value}`;
  else input.value = typed + button.dataset.digit;
}

function joined(button) {
  const team = button.closest("[data-place]");
  const output = team.querySelector("output");
  const members = output.textContent.split(" ").filter(Boolean);
  if ("clearTeam" in button.dataset) members.pop();
  else if (members.length < Number(team.dataset.most)) members.push(button.dataset.addToTeam);
  output.textContent = members.join(" ");
}

async function finish() {
  const answer = await post(`${api}/catalog`, {});
  if (answer.ok) location.assign("/boxes");
  else await show(form().dataset.card);
}

main.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button || button.type === "submit") return;
  if (button.dataset.to) go(button.dataset.to).catch(failed);
  else if ("finish" in button.dataset) finish().catch(failed);
  else {
    if (button.closest(".pad")) typed(button);
    else if (button.closest(".teach-team")) joined(button);
    else placed(button);
    isChanged = true;
    preview();
  }
});
main.addEventListener("change", (event) => {
  const slot = event.target.closest("[data-act-at]");
  if (slot && event.target.name.endsWith(".do")) {
    slot.nextElementSibling?.removeAttribute("hidden");
    for (const part of slot.querySelectorAll("[data-verb]")) part.hidden = part.dataset.verb !== event.target.value;
  }
  follow(event.target);
  isChanged = true;
  preview();
});
let saving = false;
main.addEventListener("submit", (event) => {
  event.preventDefault();
  if (saving) return;
  saving = true;
  keep()
    .catch(failed)
    .finally(() => (saving = false));
});
document.querySelector("[data-go]").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = event.target.querySelector("input");
  const text = input.value.replace(/\s/g, "").toUpperCase();
  input.value = "";
  // A hand scanner types a whole label, people the card's number alone.
  const card = text.replace(/^[A-Z]{2}[0-9](?=[A-Z])/, "").replace(/^([A-Z])([0-9])$/, "$10$2");
  if (card) go(encodeURIComponent(card)).catch(failed);
});
laidOut();
preview();
document.dispatchEvent(new Event("page:ready"));
