// A value that is chosen suggests how to pay: the bag is filled, and its button waits until it holds as many.

import { show } from "../core/forms.js";
import { isTouched, touch } from "../core/touched.js";

const bagOf = (form) => form.querySelector("[data-filled]");
const paidWith = (bag) => [...(bag?.querySelectorAll("[data-of]") || [])];
const total = (amounts) => amounts.reduce((sum, amount) => sum + Number(amount), 0);

function fill(form, { fills }) {
  const counts = JSON.parse(fills);
  for (const field of paidWith(bagOf(form))) {
    field.value = String(counts[field.dataset.of] ?? 0);
    touch(field);
    show(field.closest("[data-stepper]"));
  }
}

// What stands beside the chosen value.
function tell(form, { fills, note }) {
  const bag = bagOf(form);
  if (bag) {
    bag.hidden = false;
    bag.dataset.due = String(total(Object.values(JSON.parse(fills))));
  }
  form.querySelector("[data-chosen-note]").textContent = note;
  weigh(form);
}

function weigh(form) {
  const bag = bagOf(form);
  const chosen = form.querySelector("[data-fills]:checked");
  const isPaid = !bag || total(paidWith(bag).map(({ value }) => value)) === Number(bag.dataset.due);
  form.querySelector("[data-pays]").disabled = !chosen || !isPaid;
}

document.addEventListener("change", ({ target }) => {
  if (!target.dataset?.fills) return;
  fill(target.form, target.dataset);
  tell(target.form, target.dataset);
});
// Drawn anew, a form is as if none were chosen; how it is to be paid stays as somebody has set it.
document.addEventListener("table:prepared", ({ target }) => {
  for (const { form, dataset } of target.querySelectorAll("[data-fills]:checked")) {
    if (!paidWith(bagOf(form)).some(isTouched)) fill(form, dataset);
    tell(form, dataset);
  }
});
document.addEventListener("click", ({ target }) => {
  const form = target.closest?.("[data-filled]")?.closest("form");
  if (form) requestAnimationFrame(() => weigh(form));
});
