// What this device alone does, by choice: tones and spoken announcements, which are off until somebody wishes, and dark
// or light; kept in cookies.

import { keep, kept } from "../core/cookies.js";
import { late, surely } from "../core/late.js";
import "../core/theme.js";

// The next tap tries again.
const fetched = () => late("/static/table/aloud.js").catch(() => null);
if (kept("sounds") || kept("speech")) surely("/static/table/aloud.js");

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
