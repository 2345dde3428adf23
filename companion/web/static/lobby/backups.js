// Backups: one more now; times in the words of whoever reads them.

import { post } from "../core/http.js";

for (const time of document.querySelectorAll("[data-when]")) {
  const when = new Date(time.getAttribute("datetime"));
  time.textContent = when.toLocaleString(document.documentElement.lang, { dateStyle: "long", timeStyle: "short" });
}

const form = document.querySelector("form[data-backup]");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  const answer = await post("/api/v1/backups", {}).catch(() => null);
  if (answer?.ok) return location.reload();
  const told = await answer?.json().catch(() => ({}));
  const wrong = form.querySelector(".wrong");
  wrong.textContent = told?.detail || document.querySelector("main").dataset.lost;
  wrong.hidden = false;
  button.disabled = false;
  return undefined;
});
document.dispatchEvent(new Event("page:ready"));
