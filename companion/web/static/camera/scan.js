// A hand scanner types a code and Enter, quicker than any hand.  Caught on every page of a table, outside of its
// fields.

import { postInLine } from "../core/send.js";
import * as sheet from "../core/sheet.js";

const QUICK = 80; // milliseconds from one key to the next, in the middle
const HICCUP = 250; // and at most: wireless scanners and busy machines hold a key back now and then
const SHORTEST = 3;
const FIELDS = "input, select, textarea, [contenteditable]";

let typed = "";
let began = 0;
let last = 0;

// One after the other: a stack of cards is scanned quicker than answers come.
export const scanned = (text) => postInLine("scans", { text });

addEventListener(
  "keydown",
  (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.(FIELDS)) return;
    const pause = event.timeStamp - last;
    if (event.key === "Enter") {
      const quick = pause < HICCUP && event.timeStamp - began < QUICK * typed.length;
      const text = quick && typed.length >= SHORTEST ? typed : "";
      typed = "";
      if (!text) return;
      event.preventDefault(); // the button in focus is not meant
      event.stopPropagation();
      scanned(text);
    } else if (/^[!-~]$/.test(event.key)) {
      if (pause >= HICCUP || !typed) {
        typed = "";
        began = event.timeStamp;
      }
      typed += event.key;
      last = event.timeStamp;
    }
  },
  true,
);

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("[data-scan]")) return;
  event.preventDefault();
  if (await scanned(new FormData(form).get("text"))) sheet.close();
});
