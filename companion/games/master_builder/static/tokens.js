// The mallet and the mark of the phase go from place to place.

const TOKENS = [".seat .tool .icon", ".phases .now"];
const LASTING = 300; // milliseconds
const still = matchMedia("(prefers-reduced-motion: reduce)");
const places = new Map();

function middle(token) {
  const box = token.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function shown(move) {
  for (const name of TOKENS) {
    const token = document.querySelector(name);
    if (!token) continue;
    const [before, now] = [places.get(name), middle(token)];
    places.set(name, now);
    const [right, down] = [(before?.x ?? now.x) - now.x, (before?.y ?? now.y) - now.y];
    if (!move || still.matches || Math.hypot(right, down) < 1) continue;
    const from = { transform: `translate(${right}px, ${down}px)` };
    token.animate([from, { transform: "none" }], { duration: LASTING, easing: "ease-in-out" });
  }
}

document.addEventListener("table:shown", () => shown(true));
addEventListener("resize", () => shown(false));
shown(false);

export {};
