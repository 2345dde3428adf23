import { late } from "/static/core/late.js";
import "./plan.js";

// Plans open later; fetched again where it was lost.
const reveal = () => late(new URL("./reveal.js", import.meta.url).href).catch(() => {});
setTimeout(reveal, 700);
document.addEventListener("table:back", reveal);
