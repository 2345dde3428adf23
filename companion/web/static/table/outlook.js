// What an amount leaves of somebody's money, below the stepper that sets it.

import { digits } from "../core/forms.js";

function tell(form) {
  const place = form.querySelector("[data-outlooks]");
  const stepper = form.querySelector("[data-stepper]");
  if (!place || !stepper) return;
  const player = form.querySelector("[name=player]:checked")?.value ?? JSON.parse(form.dataset.send).player;
  const [purse, sentences] = JSON.parse(place.dataset.outlooks)[player] ?? [0, []];
  const amount = Number(stepper.querySelector("input").value);
  const fitting = sentences.findIndex(([most]) => amount <= most);
  const [, says] = sentences[fitting] ?? [0, ""];
  place.classList.toggle("short", fitting > 0);
  const written = says.replace("{left}", digits(stepper.dataset.sample, purse - amount));
  if (place.textContent !== written) place.textContent = written;
}

const all = () => document.querySelectorAll("form:has([data-outlooks])").forEach(tell);

for (const happened of ["click", "change"]) {
  document.addEventListener(happened, ({ target }) => {
    const form = target.closest?.("form");
    if (form) requestAnimationFrame(() => tell(form));
  });
}
document.addEventListener("table:prepared", all);
all();
