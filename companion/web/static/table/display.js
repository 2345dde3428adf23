// The big screen only follows; a hand scanner at it is heard all the same, and it sounds where somebody chose so.

import "../core/page.js";
import "../camera/scan.js";
import "./ears.js";

// A television has no buttons until somebody moves a pointer or presses a key.
const STAYS_MS = 4_000;
const root = document.documentElement;
let leaves = 0;

function show() {
  root.dataset.pointer = "";
  clearTimeout(leaves);
  leaves = setTimeout(() => delete root.dataset.pointer, STAYS_MS);
}

// The first tap of a finger shows them, and presses none: the click that comes of it is over by then.
const A_TAP_MS = 350;
const moved = (event) => (event.pointerType === "touch" ? setTimeout(show, A_TAP_MS) : show());
for (const kind of ["pointermove", "pointerdown", "keydown"]) addEventListener(kind, moved, { passive: true });
document.dispatchEvent(new Event("page:ready"));
