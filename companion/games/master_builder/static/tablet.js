import { late } from "/static/core/late.js";
import "./plan.js";

// Plans open later, and badges are held later; fetched again where it was lost.
const rest = () =>
  [new URL("./reveal.js", import.meta.url).href, "/static/table/hold.js"].map((one) => late(one).catch(() => {}));
setTimeout(rest, 700);
document.addEventListener("table:back", rest);
