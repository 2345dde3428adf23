// What this device alone does, by choice: tones and spoken announcements.  Off until somebody wishes; kept in cookies.

import { keep, kept } from "../core/cookies.js";
import { late } from "../core/late.js";

// The next tap tries again.
const fetched = () => late("/static/table/aloud.js").catch(() => null);
if (kept("sounds") || kept("speech")) fetched();

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-choice]");
  if (!button) return;
  const { choice, on, off } = button.dataset;
  const wished = !kept(choice);
  keep(choice, wished ? 1 : 0);
  button.setAttribute("aria-pressed", String(wished));
  button.querySelector("small").textContent = wished ? on : off;
  const voice = await fetched();
  if (voice && !voice.chosen(choice, wished)) button.querySelector("small").textContent = button.dataset.none;
});

// Headlines and the story are told until somebody wishes them away.
function tellHeadlines() {
  const off = kept("no_headlines");
  document.documentElement.dataset.headlines = off ? "off" : "on";
  for (const button of document.querySelectorAll("[data-headlines][aria-pressed]")) {
    button.setAttribute("aria-pressed", String(!off));
    button.querySelector("small").textContent = off ? button.dataset.off : button.dataset.on;
  }
}
document.addEventListener("table:shown", tellHeadlines);
document.addEventListener("click", (event) => {
  if (!event.target.closest("button[data-headlines]")) return;
  keep("no_headlines", kept("no_headlines") ? 0 : 1);
  tellHeadlines();
});
tellHeadlines();
