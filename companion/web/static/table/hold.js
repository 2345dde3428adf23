// A tablet in the middle: what is covered shows while its owner holds the own badge, and not a moment longer.

import { get } from "../core/http.js";
import { table, version } from "../core/page.js";

const HELD_MS = 400; // as long as the ring takes to close

let current = null;

function cover() {
  if (!current) return;
  const { button, purse, before, timer } = current;
  clearTimeout(timer);
  button.classList.remove("holding");
  if (purse.isConnected && purse.classList.contains("peeked")) purse.innerHTML = before;
  purse.classList.remove("peeked");
  current = null;
}

function hold(button) {
  cover();
  const purse = button.closest("section").querySelector(".purse");
  const mine = { button, purse, before: purse.innerHTML, timer: 0 };
  current = mine;
  button.classList.add("holding");
  const address = `/tables/${table}/peek/${button.dataset.peek}?at=${version()}`;
  const asked = get(address).then((answer) => (answer.ok ? answer.text() : ""));
  asked.catch(() => {}); // without contact nothing is uncovered
  mine.timer = setTimeout(async () => {
    const own = await asked.catch(() => "");
    if (current !== mine || !own) return;
    purse.classList.add("peeked");
    purse.innerHTML = own;
  }, HELD_MS);
}

document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("[data-peek]");
  if (button) hold(button);
});
for (const end of ["pointerup", "pointercancel", "visibilitychange"]) addEventListener(end, cover, true);
addEventListener("blur", cover); // of the window: a button that loses the focus to the badge ends nothing
document.addEventListener("contextmenu", (event) => {
  if (event.target.closest("[data-peek]")) event.preventDefault(); // holding long is no wish for a menu here
});
document.addEventListener("keydown", (event) => {
  const button = event.target.closest?.("[data-peek]");
  if (button && !event.repeat && (event.key === " " || event.key === "Enter")) hold(button);
});
document.addEventListener("keyup", cover);
// The page may have been drawn anew meanwhile: what is held stays no longer than that.
document.addEventListener("table:shown", () => current && !current.purse.classList.contains("peeked") && cover());
