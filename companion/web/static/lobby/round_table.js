// The table from above: who sits where, clockwise.  A seat is dragged onto another, or two are tapped, or arrow
// keys move it.

import { filled } from "./letters.js";

const place = document.getElementById("round");
const line = document.getElementById("round-names");
const starts = place.querySelector(".round-first");
const buttons = () => [...place.querySelectorAll(".round-seat")];
const FAR = 8; // pixels that make a tap a drag
let people = [];
/** @type {(one: number, other: number) => void} */
let swap = () => {};
let picked = null;
let dragged = null;

// From the seat nearest to the reader on; 90 degrees is down, and on a screen angles grow clockwise.
const angle = (at) => ((90 + (360 * at) / people.length) * Math.PI) / 180;

function put(element, at, far) {
  element.style.left = `${50 + far * Math.cos(angle(at))}%`;
  element.style.top = `${50 + far * Math.sin(angle(at))}%`;
}

function made() {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "round-seat" });
  button.append(
    document.createElement("span"),
    Object.assign(document.createElement("span"), { className: "round-name" }),
  );
  return button;
}

export function seatPlayers(those, swapped) {
  [people, swap] = [those, swapped];
  buttons()
    .slice(people.length)
    .forEach((element) => element.remove());
  while (buttons().length < people.length) place.append(made());
  if (picked !== null && picked >= people.length) picked = null;
  buttons().forEach((button, at) => {
    const { name, badge, first } = people[at];
    put(button, at, 37);
    if (first) put(starts, at, 17);
    button.firstElementChild.replaceChildren(badge.cloneNode(true));
    button.lastElementChild.textContent = name;
    const label = place.dataset.label.replace("{at}", String(at + 1)).replace("{of}", String(people.length));
    button.setAttribute("aria-label", filled(label, "{name}", name));
    button.setAttribute("aria-pressed", String(picked === at));
  });
}

function change(first, other) {
  picked = null;
  swap(first, other);
  line.textContent = filled(line.dataset.template, "{names}", people.map(({ name }) => name).join(", "));
}

const seatOf = (event) => buttons().indexOf(event.target.closest(".round-seat"));

function nearest(x, y) {
  const far = (at) => {
    const box = place.getBoundingClientRect();
    const [left, top] = [50 + 37 * Math.cos(angle(at)), 50 + 37 * Math.sin(angle(at))];
    return Math.hypot(box.left + (box.width * left) / 100 - x, box.top + (box.height * top) / 100 - y);
  };
  const ways = buttons().map((_, at) => far(at));
  return ways.indexOf(Math.min(...ways));
}

place.addEventListener("click", (event) => {
  const at = seatOf(event);
  if (at < 0 || dragged?.moved) return;
  if (picked === null || picked === at) {
    picked = picked === at ? null : at;
    seatPlayers(people, swap);
  } else change(picked, at);
});

place.addEventListener("keydown", (event) => {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const at = seatOf(event);
  if (!by || at < 0) return;
  event.preventDefault();
  const to = (at + by + people.length) % people.length;
  change(at, to);
  buttons()[to].focus();
});

place.addEventListener("pointerdown", (event) => {
  const at = seatOf(event);
  dragged = at < 0 || event.button ? null : { at, x: event.clientX, y: event.clientY, moved: false };
});

place.addEventListener("pointermove", (event) => {
  if (!dragged || event.buttons === 0) return;
  const [x, y] = [event.clientX - dragged.x, event.clientY - dragged.y];
  const button = buttons()[dragged.at];
  if (!dragged.moved && Math.hypot(x, y) < FAR) return;
  if (!dragged.moved) button.setPointerCapture(event.pointerId);
  dragged.moved = true;
  button.classList.add("dragged");
  button.style.translate = `calc(-50% + ${x}px) calc(-50% + ${y}px)`;
  buttons().forEach((button, at) =>
    button.classList.toggle("under", at !== dragged.at && at === nearest(event.clientX, event.clientY)),
  );
});

function dropped(event) {
  if (!dragged?.moved) return;
  const { at } = dragged;
  const to = event.type === "pointerup" ? nearest(event.clientX, event.clientY) : at;
  for (const button of buttons()) {
    button.classList.remove("dragged", "under");
    button.style.translate = "";
  }
  if (to !== at) change(at, to);
  setTimeout(() => {
    dragged = null; // the click that ends a drag is none
  });
}
place.addEventListener("pointerup", dropped);
place.addEventListener("pointercancel", dropped);
