// While a finger is on the page nothing is drawn anew: what it lifts from is what it came down on.

const LONGEST = 1_500; // milliseconds; who holds a badge, or forgets the hand on the screen, waits no longer for news
const CLICK = 60; // from the lifted finger to the click that it means

let down = 0;
let lift = () => {};
let lifted = Promise.resolve();

function press() {
  clearTimeout(down);
  lift();
  lifted = new Promise((done) => (lift = () => done(undefined)));
  down = setTimeout(lift, LONGEST);
}

function release() {
  clearTimeout(down);
  down = setTimeout(lift, CLICK);
}

addEventListener("pointerdown", press, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, release, true);
addEventListener("keydown", (event) => event.key === " " && !event.repeat && press(), true);
addEventListener("keyup", (event) => event.key === " " && release(), true);

export const untouched = () => lifted;
