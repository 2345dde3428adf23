// What is printed on a card, collected from the fields of a form; a field that says nothing is left out.

import { PLACES } from "./places.js";

const checked = (inside) => [...inside.querySelectorAll("input:checked")].map((one) => one.value);

const number = (inside) => {
  const typed = inside.querySelector("input").value.trim();
  return /^-?[0-9]+$/.test(typed) ? Number(typed) * Number(inside.querySelector("[data-unit]").dataset.unit) : null;
};

const picked = (inside, most) => (Number(most) > 1 ? checked(inside) : (checked(inside)[0] ?? null));

function row(field) {
  const numbers = [...field.querySelectorAll(".teach-row")].map((one) => checked(one)[0]);
  return numbers.includes(undefined) ? null : numbers.map(Number);
}

function teams(field) {
  const places = [...field.querySelectorAll("[data-place]")].map((one) => [
    one.dataset.place,
    one.querySelector("output")?.textContent.split(" ").filter(Boolean) ?? checked(one),
  ]);
  return places.every(([, team]) => team.length) ? Object.fromEntries(places) : null;
}

function act(slot) {
  const verb = slot.querySelector(".people-choice input:checked")?.value;
  if (slot.hidden || !verb) return null;
  const parts = [...slot.querySelectorAll(`[data-verb="${verb}"] [data-part]`)].map((part) => {
    const held = part.dataset.kind === "number" ? number(part) : picked(part, part.dataset.most);
    return [part.dataset.part, held];
  });
  return Object.fromEntries([["do", verb], ...parts.filter(([, held]) => held !== null && String(held) !== "")]);
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
  const found = [...form.querySelectorAll("[data-asked]")].map((field) => [
    field.dataset.name,
    KINDS[field.dataset.asked](field),
  ]);
  return Object.fromEntries(found.filter(([, held]) => held !== null));
}
