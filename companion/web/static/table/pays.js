// A value that is chosen suggests how to pay: the bag is filled, and its button waits until it holds as many.

import { show } from "../core/forms.js";
import { touch } from "../core/touched.js";

const total = (bag) => [...bag.querySelectorAll("[data-of]")].reduce((sum, field) => sum + Number(field.value), 0);

function fill(form, { fills, note }) {
  const counts = JSON.parse(fills);
  const bag = form.querySelector("[data-filled]");
  if (bag) {
    bag.hidden = false;
    bag.dataset.due = Object.values(counts).reduce((sum, count) => sum + count, 0);
    for (const field of bag.querySelectorAll("[data-of]")) {
      field.value = String(counts[field.dataset.of] ?? 0);
      touch(field);
      show(field.closest("[data-stepper]"));
    }
  }
  form.querySelector("[data-chosen-note]").textContent = note;
  weigh(form);
}

function weigh(form) {
  const bag = form.querySelector("[data-filled]");
  const chosen = form.querySelector("[data-fills]:checked");
  form.querySelector("[data-pays]").disabled = !chosen || Boolean(bag && total(bag) !== Number(bag.dataset.due));
}

document.addEventListener("change", ({ target }) => {
  if (target.dataset?.fills) fill(target.form, target.dataset);
});
document.addEventListener("click", ({ target }) => {
  const form = target.closest?.("[data-filled]")?.closest("form");
  if (form) requestAnimationFrame(() => weigh(form));
});
