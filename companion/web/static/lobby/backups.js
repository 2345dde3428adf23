// Backups: one more now; times in the words of whoever reads them.

import { pause } from "../core/again.js";
import { get, post } from "../core/http.js";

for (const time of document.querySelectorAll("[data-when]")) {
  const when = new Date(time.getAttribute("datetime"));
  time.textContent = when.toLocaleString(document.documentElement.lang, { dateStyle: "long", timeStyle: "short" });
}

const form = document.querySelector("form[data-backup]");
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  const answer = await post("/api/v1/backups", {}).catch(() => null);
  if (answer?.ok) return location.reload();
  const reply = await answer?.json().catch(() => ({}));
  const wrong = form.querySelector(".wrong");
  wrong.textContent = reply?.detail || document.querySelector("main").dataset.lost;
  wrong.hidden = false;
  button.disabled = false;
  return undefined;
});
// Nobody is served while a backup is put in place: the page waits until somebody answers again.
const SECOND = 1_000;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

async function served() {
  await sleep(2 * SECOND);
  for (let tries = 0; ; tries += 1) {
    const answer = await get("/healthz").catch(() => null);
    if (answer?.ok) return;
    await sleep(pause(tries));
  }
}

for (const button of document.querySelectorAll("[data-restore]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    const answer = await post(`/api/v1/backups/${button.dataset.restore}/restore`, {}).catch(() => null);
    if (answer?.ok) {
      await served();
      location.assign("/");
      return;
    }
    const reply = await answer?.json().catch(() => ({}));
    const wrong = button.parentElement.querySelector(".wrong");
    wrong.textContent = reply?.detail || document.querySelector("main").dataset.lost;
    wrong.hidden = false;
    button.disabled = false;
  });
}
document.dispatchEvent(new Event("page:ready"));
