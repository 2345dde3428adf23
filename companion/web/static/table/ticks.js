// What is ticked off on a sheet: ticks come quickly, so each waits for the one before.

import { postInLine } from "../core/send.js";

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-post]");
  if (!button) return;
  const { post: path, body } = button.dataset;
  postInLine(path, JSON.parse(body));
});
