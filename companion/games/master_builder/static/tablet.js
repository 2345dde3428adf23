import { late, surely } from "/static/core/late.js";

// Plans are made, opened and told later, and badges held: fetched after the first paint, and again where it was lost.
const own = (name) => new URL(name, import.meta.url).href;
const rest = () =>
  [
    own("./told_elsewhere.js"),
    own("./reveal.js"),
    own("./plan.js"),
    own("./hire.js"),
    "/static/table/going.js",
    "/static/table/hold.js",
  ].forEach(surely);
let planning = false;

async function ready() {
  await late(own("./plan.js"));
  planning = true;
}

setTimeout(rest, 700);
// Whoever is faster than that waits for what his taps need.
document.addEventListener(
  "click",
  (event) => {
    const opens = event.target.closest?.("[data-sheet=plan]");
    if (!opens || planning) return;
    event.stopImmediatePropagation();
    ready().then(
      () => opens.click(),
      () => {
        planning = true; // without contact the sheet says so itself
        opens.click();
        planning = false;
      },
    );
  },
  true,
);
