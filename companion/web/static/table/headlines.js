// Headlines between rounds and the story after the end: told until somebody wishes them away on this device.

import { keep, kept } from "../core/cookies.js";

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
