// A new box is begun.

import { post } from "../core/http.js";

const form = document.querySelector("form[data-new-box]");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { game, name } = Object.fromEntries(new FormData(/** @type {any} */ (form)));
  const answer = await post("/api/v1/boxes", { game, name }).catch(() => null);
  const told = await answer?.json().catch(() => ({}));
  if (answer?.ok) return location.assign(`/boxes/${told.id}`);
  const wrong = form.querySelector(".wrong");
  wrong.textContent = told?.detail || "";
  wrong.hidden = false;
  return undefined;
});
