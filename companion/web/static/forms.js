// Forms that become commands: amounts by stepper, cards by ticking.

const digits = (sample, amount) => {
  // The sample says how 1,234,000 is written here; the same signs serve for every amount.
  const [, before, first, after] = sample.match(/^(\D*)1(\D+)234\D+000(.*)$/) || ["", "$", ",", ""];
  const figure = String(Math.abs(amount)).replace(/\B(?=(\d{3})+$)/g, first);
  return before + figure + after;
};

export function command(form) {
  const made = JSON.parse(form.dataset.send);
  for (const field of form.elements) {
    if (!field.name || ((field.type === "checkbox" || field.type === "radio") && !field.checked)) continue;
    if (field.dataset.kind === "list") (made[field.name] ||= []).push(field.value);
    else made[field.name] = field.dataset.kind === "amount" ? Number(field.value) : field.value;
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
  const form = stepper.closest("form");
  for (const label of form.querySelectorAll("[data-amount-label]")) {
    label.textContent = label.dataset.amountLabel.replace("{amount}", written);
  }
  for (const told of form.querySelectorAll("[data-forecast]")) {
    const left = Number(told.dataset.cash) - amount - Number(told.dataset.wages);
    told.classList.toggle("short", left < 0);
    told.textContent = told.dataset[left < 0 ? "short" : "enough"].replace("{amount}", digits(sample, left));
  }
}

export function step(stepper, by) {
  const field = stepper.querySelector("input");
  const { least, most } = stepper.dataset;
  const wanted = by === "all" ? Number(most) : Number(field.value) + by;
  field.value = String(Math.min(Number(most), Math.max(Number(least), wanted)));
  show(stepper);
}

export function counted(form) {
  const { least, most } = form.dataset;
  if (!most) return;
  const ticks = [...form.querySelectorAll("input[type=checkbox]")];
  const chosen = ticks.filter((tick) => tick.checked).length;
  for (const tick of ticks) tick.disabled = !tick.checked && chosen >= Number(most) && Number(most) > 1;
  for (const button of form.querySelectorAll("[data-needs]")) button.disabled = chosen < Number(least) || chosen > Number(most);
}

export function prepare(root) {
  root.querySelectorAll("[data-stepper]").forEach(show);
  root.querySelectorAll("form[data-most]").forEach(counted);
}
