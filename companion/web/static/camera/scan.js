// A hand scanner types a code and Enter or Tab, quicker than any hand.  Caught on every page of a table, outside of
// its fields.
//
// A scanner presses the keys of the layout that it is set to, and the machine may have another one: besides the text,
// the keys themselves are kept, as an American keyboard would understand them.

import { postInLine } from "../core/send.js";
import * as sheet from "../core/sheet.js";

const QUICK = 80; // milliseconds from one key to the next, in the middle
const HICCUP = 250; // and at most: wireless scanners and busy machines hold a key back now and then
const SHORTEST = 3;
const FIELDS = "input, select, textarea, [contenteditable]";
const ENDS = ["Enter", "NumpadEnter", "Tab"];
const SIGNS = { BracketRight: "]", Minus: "-", Period: ".", Slash: "/" };

let typed = "";
let pressed = "";
let keys = 0;
let began = 0;
let last = 0;
let ended = -Infinity; // when the last code ended: scanners may send Enter and Tab, or Enter twice

// One after the other: a stack of cards is scanned quicker than answers come.
export const scanned = (text, asKeys = text) =>
  postInLine("scans", asKeys && asKeys !== text ? { text: text || asKeys, keys: asKeys } : { text });

// What an American keyboard types with this key.  Android names no key where it does not know the keyboard's layout.
function american(event) {
  const place = /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(event.code);
  if (place) return place[1];
  if (SIGNS[event.code]) return SIGNS[event.code];
  const number = event.code ? 0 : event.keyCode;
  return (number >= 48 && number <= 57) || (number >= 65 && number <= 90) ? String.fromCharCode(number) : "";
}

function forget() {
  typed = pressed = "";
  keys = 0;
}

addEventListener(
  "keydown",
  (event) => {
    const altGr = event.getModifierState("AltGraph");
    if (event.metaKey || ((event.ctrlKey || event.altKey) && !altGr) || event.target.closest?.(FIELDS)) return;
    const pause = event.timeStamp - last;
    if (ENDS.includes(event.key) || (ENDS.includes(event.code) && event.key === "Unidentified")) {
      const quick = pause < HICCUP && event.timeStamp - began < QUICK * keys;
      const code = quick && keys >= SHORTEST ? [typed, pressed] : null;
      forget();
      if (!code && event.timeStamp - ended > HICCUP) return;
      event.preventDefault(); // neither the button in focus is meant nor the next one
      event.stopPropagation();
      if (!code) return;
      last = ended = event.timeStamp;
      scanned(...code);
      return;
    }
    const letter = [...event.key].length === 1 ? event.key : "";
    const place = american(event) || letter;
    if (!letter.trim() && !place.trim()) return;
    if (pause >= HICCUP || !keys) {
      forget();
      began = event.timeStamp;
    }
    typed += letter;
    pressed += place;
    keys += 1;
    last = event.timeStamp;
  },
  true,
);

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("[data-scan]")) return;
  event.preventDefault();
  if (await scanned(new FormData(form).get("text"))) sheet.close();
});
