// What every page for a game already begun does: who plays and in which order, and the position sent to the rules.

import { keyOf, post } from "../core/http.js";

export const form = document.getElementById("take-over");
const faults = document.getElementById("faults");

const seats = () => [...form.querySelectorAll("[data-player]")]; // clockwise, as they were put
export const playing = () => seats().filter((seat) => seat.querySelector("[data-plays]").checked);

function tell(sentences) {
  faults.replaceChildren(
    ...sentences.map((said) => Object.assign(document.createElement("li"), { textContent: said })),
  );
}

// Send what `position` returns, once at a time; `show` is called after every change of the form.
export function taking(position, show) {
  let busy = false;
  const keys = keyOf();
  form.addEventListener("input", show);
  form.addEventListener("click", (event) => {
    const seat = event.target.closest("[data-up]")?.closest("[data-player]");
    if (seat) seat.previousElementSibling?.before(seat);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    try {
      const taken = { do: "take_over", position: position() };
      const answer = await post("/api/v1/tables", taken, { headers: keys(JSON.stringify(taken)) });
      const body = await answer.json();
      if (answer.ok) {
        location.assign(`/tables/${body.id}`);
        return;
      }
      keys("");
      tell(body.faults || [body.detail || form.dataset.lost]);
    } catch {
      tell([form.dataset.lost]);
    }
    busy = false;
  });
  show();
  document.dispatchEvent(new Event("page:ready"));
}
