// A new box is begun; the printer is measured by a photograph of its sheet.

import { post, sendBody } from "../core/http.js";

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

const printer = document.querySelector("[data-printer]");

async function measured(request) {
  const answer = await request.catch(() => null);
  if (answer?.ok) return location.reload();
  const told = await answer?.json().catch(() => ({}));
  const wrong = printer.querySelector(".wrong");
  wrong.textContent = told?.detail || "";
  wrong.hidden = false;
  return undefined;
}

printer?.querySelector("[data-printer-photo]").addEventListener("change", (event) => {
  const [file] = event.target.files;
  if (file) measured(sendBody("/api/v1/printer", file, file.type, { method: "PUT" }));
});
printer?.querySelector("[data-printer-forget]")?.addEventListener("click", () => {
  measured(sendBody("/api/v1/printer", "", "application/json", { method: "DELETE" }));
});
