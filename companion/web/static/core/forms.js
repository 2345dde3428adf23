// Forms that become commands: amounts by stepper, cards by ticking.

import { touch } from "./touched.js";

export const digits = (sample, amount) => {
  // The sample says how 1,234,000 is written here.
  const [, before, first, after] = sample.match(/^(\D*)1(\D+)234\D+000(.*)$/) || ["", "$", ",", ""];
  const figure = String(Math.abs(amount)).replace(/\B(?=(\d{3})+$)/g, first);
  return before + figure + after;
};

// ``by``: the button that was tapped, where a form has two; ``data-optional`` fields say nothing when they are empty.
export function command(form, by) {
  const made = JSON.parse(form.dataset.send);
  if (by?.dataset.instead) made.do = by.dataset.instead;
  for (const field of form.elements) {
    if (!field.name || ((field.type === "checkbox" || field.type === "radio") && !field.checked)) continue;
    if (field.dataset.whole) {
      Object.assign(made, JSON.parse(field.dataset.whole)); // one value that is more than a word
      continue;
    }
    if ("optional" in field.dataset && !field.value) continue;
    if (field.dataset.also) Object.assign(made, JSON.parse(field.dataset.also));
    // ``give.money`` is part of a mapping: nothing is not said.
    const [whole, part] = field.name.split(".");
    if (part) made[whole] ||= {};
    const [into, name] = part ? [made[whole], part] : [made, whole];
    const { die, of, kind } = field.dataset;
    const amount = Number(field.value);
    if (die) made[die] = [...(made[die] || []), amount];
    else if (of) {
      if (!part) into[name] ||= {};
      if (amount) into[name] = { ...into[name], [of]: amount };
    } else if (kind === "list") into[name] = [...(into[name] || []), field.value];
    else if (kind !== "amount") into[name] = field.value;
    else if (amount || !part) into[name] = amount;
  }
  return made;
}

export function show(stepper) {
  const field = stepper.querySelector("input");
  const { least, most, sample } = stepper.dataset;
  const amount = Number(field.value);
  const written = digits(sample, amount);
  stepper.querySelector("output").textContent = written;
  for (const button of stepper.querySelectorAll("[data-add]")) {
    const then = amount + Number(button.dataset.add);
    button.disabled = then < Number(least) || then > Number(most);
  }
  for (const button of stepper.querySelectorAll("[data-all]")) {
    button.textContent = amount === Number(most) ? button.dataset.back : button.dataset.all;
  }
  const form = stepper.closest("form");
  for (const label of form.querySelectorAll("[data-amount-label]")) {
    label.textContent = label.dataset.amountLabel.replace("{amount}", written);
  }
  for (const outlook of form.querySelectorAll("[data-forecast]")) {
    // A dollar more bid is a dollar less at all that is to be paid.
    const rounds = JSON.parse(outlook.dataset.forecast);
    const tight = rounds.find(([, most]) => most < amount);
    const kind = !tight ? "fine" : tight === rounds[0] ? "next" : "later";
    outlook.classList.toggle("short", Boolean(tight));
    outlook.textContent = outlook.dataset[kind]
      .replace("{bid}", written)
      .replace("{amount}", digits(sample, amount - (tight ? tight[1] : Number(outlook.dataset.floor))))
      .replace("{round}", tight?.[0]);
  }
}

export function step(stepper, by) {
  const field = stepper.querySelector("input");
  const { least, most } = stepper.dataset;
  const there = Number(field.value);
  // All in; at a second tap back to the least.
  const wanted = by === "all" ? Number(there === Number(most) ? least : most) : there + by;
  field.value = String(Math.min(Number(most), Math.max(Number(least), wanted)));
  if (by !== 0) touch(field);
  show(stepper);
}

// Each list and bag of a form has limits of its own; a form with one list alone may bear them itself.
export function counted(form) {
  if (form.dataset.sets) oneOf(form, JSON.parse(form.dataset.sets));
  const lists = form.dataset.most
    ? [form]
    : [...form.querySelectorAll("fieldset[data-most], [data-bag]:not([data-filled])")];
  if (!lists.length) return;
  const fit = lists.map(limited).every(Boolean);
  for (const button of form.querySelectorAll("[data-needs]")) button.disabled = !fit;
}

// Let no more be ticked than may be; return whether as many are as must be.  A bag without a most has no bound.
function limited(list) {
  const [least, most] = [Number(list.dataset.least), Number(list.dataset.most)];
  const ticks = [...list.querySelectorAll("input[type=checkbox]")];
  let chosen = ticks.filter((tick) => tick.checked).length;
  if ("bag" in list.dataset) for (const { value } of list.querySelectorAll("[data-of]")) chosen += Number(value);
  for (const tick of ticks) tick.disabled = !tick.checked && chosen >= most && most > 1;
  return chosen >= least && (chosen <= most || !most);
}

// The ticked cards must be one of the sets that will do, no more and no fewer.
function oneOf(form, sets) {
  const chosen = [...form.querySelectorAll("input:checked")].map((tick) => tick.value);
  const fits = sets.some((set) => set.length === chosen.length && set.every((card) => chosen.includes(card)));
  for (const button of form.querySelectorAll("[data-needs]")) button.disabled = !fits;
}

// A card is lent to somebody else, for no more than they can pay.
export function lent(form) {
  const card = form.querySelector("[name=worker]:checked");
  const owner = card && JSON.parse(card.dataset.also).owner;
  for (const field of form.querySelectorAll("[name=borrower]")) {
    field.disabled = field.value === owner;
    if (field.disabled) field.checked = false;
  }
  const borrower = form.querySelector("[name=borrower]:checked");
  const stepper = form.querySelector("[data-stepper]");
  if (borrower) {
    stepper.dataset.most = borrower.dataset.cash;
    step(stepper, 0);
  }
  for (const button of form.querySelectorAll("[data-needs]")) button.disabled = !card || !borrower;
}

export function prepare(root) {
  root.querySelectorAll("[data-stepper]").forEach(show);
  root.querySelectorAll("form").forEach(counted);
  root.querySelectorAll("form[data-lends]").forEach(lent);
  root.dispatchEvent(new Event("table:prepared", { bubbles: true }));
}
