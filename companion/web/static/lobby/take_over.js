// A game already begun: each field puts what it holds into one position, which the rules check.

import { applies, chosen } from "./lobby_rules.js";
import { filled, initials } from "./letters.js";
import { form, playing, taking } from "./take_over_form.js";
import "../core/theme.js";

const seats = [...form.querySelectorAll("[data-player]")];
const options = [...form.querySelectorAll("option[data-of]")];
const bound = [...form.querySelectorAll("[data-where]")]; // asked with some house rules and variants alone

function called(seat) {
  const name = seat.querySelector("[data-name]");
  return name.value.trim() || name.placeholder;
}

// A path that ends with + adds to a list.
function put(into, path, value) {
  const parts = path.replace(/\+$/, "").split(".");
  const last = parts.pop();
  let at = into;
  for (const part of parts) at = at[part] ||= {};
  if (path.endsWith("+")) at[last] = [...(at[last] || []), value];
  else at[last] = value;
}

// "7, i12 31" are the cards I07, I12, I31; whatever is no number is left for the rules to name.
const cards = (field) =>
  field.value
    .split(/[\s,;.]+/)
    .filter(Boolean)
    .map((word) =>
      /^[a-z]?\d+$/i.test(word) ? field.dataset.prefix + word.replace(/\D/g, "").padStart(2, "0") : word,
    );

// Fields of one place, as those of a site, are entered together: what is left out counts as it is shown there.
const together = (field) => {
  const [place, ...within] = field.dataset.path.split(".");
  const group = within.length ? field.closest(".begun-group") : null;
  return [...(group?.querySelectorAll(`[data-path^="${place}."]`) || [])].some(
    (other) => other.value !== "" && !other.closest("[data-where][hidden]"),
  );
};

function take(field, into) {
  if (field.closest("[data-where][hidden]")) return;
  if (field.localName === "select") {
    for (const [path, value] of Object.entries(JSON.parse(field.value))) put(into, path, value);
  } else if (field.dataset.prefix) put(into, field.dataset.path, cards(field));
  else if (field.value !== "") put(into, field.dataset.path, Number(field.value));
  else if (/^\d+$/.test(field.placeholder) && together(field)) put(into, field.dataset.path, Number(field.placeholder));
}

function position() {
  const there = playing();
  /** @type {Record<string, any>} */
  const made = {
    game: form.dataset.game,
    catalog: form.querySelector("[name=catalog]:checked")?.value || "house",
    ...chosen(),
    players: {},
  };
  if ("seats" in form.dataset) made.seats = there.map((seat) => seat.dataset.player);
  for (const seat of there) {
    const player = { name: called(seat) };
    for (const field of seat.querySelectorAll("[data-taken]")) take(field, player);
    made.players[seat.dataset.player] = player;
  }
  made[form.dataset.turn] = form.querySelector("[name=turn]:checked")?.value || "";
  for (const field of form.querySelectorAll("[data-taken]")) if (!field.closest("[data-player]")) take(field, made);
  return made;
}

function show() {
  const there = playing();
  for (const asked of bound) asked.hidden = !applies(JSON.parse(asked.dataset.where));
  const badges = initials(there.map(called));
  for (const seat of seats) {
    const plays = there.includes(seat);
    const name = called(seat);
    const letters = plays ? badges[there.indexOf(seat)] : initials([name])[0];
    seat.classList.toggle("away", !plays);
    seat.querySelector(".begun-fields").hidden = !plays;
    const start = form.querySelector(`[data-start="${seat.dataset.player}"]`);
    start.hidden = !plays;
    start.querySelector("[data-called]").textContent = name;
    for (const badge of [seat, start]) badge.querySelector(".badge text").textContent = letters;
    if (!plays) start.querySelector("input").checked = false;
    for (const option of options) {
      if (option.dataset.of !== seat.dataset.player) continue;
      option.hidden = option.disabled = !plays;
      option.textContent = filled(option.dataset.says, "{player}", name);
      if (!plays && option.selected) option.closest("select").selectedIndex = 0;
    }
  }
  if (!form.querySelector("[name=turn]:checked") && there.length)
    form.querySelector(`[name=turn][value="${there[0].dataset.player}"]`).checked = true;
}

taking(position, show);
document.getElementById("house-rules")?.addEventListener("close", show);
