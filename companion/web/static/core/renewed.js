// The program was replaced by another version while this page was open: it is loaded anew, once nobody is writing.
// Not at once: for a while processes of both versions answer, and a whole hall must not come back in one moment.

import { untouched } from "./finger.js";
import { leave } from "./http.js";
import { isTouched } from "./touched.js";

const [SOON, SPREAD, AGAIN] = [30_000, 60_000, 5_000]; // milliseconds

let begun = false;

const isWriting = () =>
  document.querySelector("dialog[open]") ||
  [...document.forms].some((form) => [...form.elements].some(isTouched)) ||
  document.activeElement?.matches("input, textarea, select");

async function load() {
  await untouched();
  if (isWriting() || document.body.classList.contains("lost")) setTimeout(load, AGAIN);
  else leave();
}

export function renew() {
  if (begun) return;
  begun = true;
  setTimeout(load, SOON + Math.random() * SPREAD);
}
