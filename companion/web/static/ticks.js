// What is ticked off on a sheet: ticks come quickly, so each waits for the one before.

import { post } from "./send.js";

let before = Promise.resolve();

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-post]");
  if (!button) return;
  const { post: path, body } = button.dataset;
  before = before.then(() => post(path, JSON.parse(body)));
});
