// While a finger is on the page nothing is drawn anew: what it lifts from is what it came down on.

const LONGEST = 30_000; // milliseconds; of a finger that is said to be here no longer: its end was lost
const CLICK = 60; // from the lifted finger to the click that it means

const down = new Set(); // fingers, and the space bar
let [cap, click] = [0, 0];
let lift = null;
let lifted = Promise.resolve();

function free() {
  clearTimeout(cap);
  down.clear();
  lift?.();
  lift = null;
}

function press(what) {
  clearTimeout(click);
  down.add(what);
  if (lift) return;
  lifted = new Promise((done) => (lift = done));
  cap = setTimeout(free, LONGEST);
}

function release(what) {
  clearTimeout(click);
  down.delete(what);
  if (!down.size) click = setTimeout(free, CLICK);
}

/** @type {(kind: string, act: (event: any) => unknown) => void} */
const on = (kind, act) => addEventListener(kind, act, true);

on("pointerdown", ({ button, isPrimary, pointerId }) => {
  if (isPrimary) down.clear(); // the only one now
  if (!button) press(pointerId);
});
on("pointerup", (event) => release(event.pointerId));
on("pointercancel", (event) => release(event.pointerId));
on("keydown", (event) => event.key === " " && !event.repeat && press(" "));
on("keyup", (event) => event.key === " " && release(" "));
on("visibilitychange", free);
addEventListener("blur", free); // the window's

export const untouched = () => lifted;
