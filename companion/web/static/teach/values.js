// What is printed on a card, collected from the fields of a form; a field that says nothing is left out.

import { PLACES } from "./places.js";

const checked = (inside) => [...inside.querySelectorAll("input:checked")].map((field) => field.value);

const number = (inside) => {
  const typed = inside.querySelector("input").value.trim();
  return /^-?[0-9]+$/.test(typed) ? Number(typed) * Number(inside.querySelector("[data-unit]").dataset.unit) : null;
};

const picked = (inside, most) => (Number(most) > 1 ? checked(inside) : (checked(inside)[0] ?? null));

function row(field) {
  const numbers = [...field.querySelectorAll(".teach-row")].map((row) => checked(row)[0]);
  return numbers.includes(undefined) ? null : numbers.map(Number);
}

function teams(field) {
  const places = [...field.querySelectorAll("[data-place]")].map((place) => [
    place.dataset.place,
    place.querySelector("output")?.textContent.split(" ").filter(Boolean) ?? checked(place),
  ]);
  return places.every(([, team]) => team.length) ? Object.fromEntries(places) : null;
}

function act(slot) {
  const verb = slot.querySelector(".people-choice input:checked")?.value;
  if (slot.hidden || !verb) return null;
  const parts = [...slot.querySelectorAll(`[data-verb="${verb}"] [data-part]`)].map((part) => {
    const value = part.dataset.kind === "number" ? number(part) : picked(part, part.dataset.most);
    return [part.dataset.part, value];
  });
  return Object.fromEntries([["do", verb], ...parts.filter(([, value]) => value !== null && String(value) !== "")]);
}

const KINDS = {
  ...PLACES,
  pick: (field) => picked(field, field.dataset.most),
  number,
  line: (field) => field.querySelector("input").value.trim() || null,
  row,
  teams,
  acts: (field) => [...field.querySelectorAll("[data-act-at]")].map(act).filter(Boolean),
};

export function values(form) {
  const fields = [...form.querySelectorAll("[data-asked]")].map((field) => [
    field.dataset.name,
    KINDS[field.dataset.asked](field),
  ]);
  return Object.fromEntries(fields.filter(([, value]) => value !== null));
}
