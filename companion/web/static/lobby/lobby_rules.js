// The house rules of the game to come: chosen on a sheet, summed up in one line, sent with the start.

import { onTapBeside } from "../core/beside.js";

const sheet = document.getElementById("house-rules");
const line = document.getElementById("rules-line");
const switches = () => [...(sheet?.querySelectorAll("input[data-rule]") || [])];
const ticked = () => [...(sheet?.querySelectorAll("input[data-variant]:checked") || [])];

const typed = (field) => {
  if ("number" in field.dataset) return Number(field.value);
  return field.value === "true" ? true : field.value === "false" ? false : field.value;
};

// Only what is not as printed: the rest is the engine's default.  A game without choices is sent none.
export function chosen() {
  if (!sheet) return {};
  const rules = {};
  for (const field of switches())
    if (field.checked && !("printed" in field.dataset)) rules[field.dataset.rule] = typed(field);
  return { rules, variants: ticked().map((field) => field.dataset.variant) };
}

// Whether the game will be played so: house rules by their values, variants by true or false.
export function applies(where) {
  const now = Object.fromEntries(ticked().map((field) => [field.dataset.variant, true]));
  for (const field of switches()) if (field.checked) now[field.dataset.rule] = typed(field);
  return Object.entries(where).every(([key, value]) => (now[key] ?? false) === value);
}

function show() {
  const { rules, variants } = chosen();
  const parts = [];
  const count = (number, single, many) => {
    if (number) parts.push(number === 1 ? line.dataset[single] : line.dataset[many].replace("2", number));
  };
  count(Object.keys(rules).length, "ruleOne", "ruleMany");
  if (variants.length === 1) parts.push(ticked()[0].nextElementSibling.querySelector("b").textContent.trim());
  else count(variants.length, "variantOne", "variantMany");
  const summary = parts.join(", ") || line.dataset.printed;
  for (const place of document.querySelectorAll("[data-rules-line]")) place.textContent = summary;
  line.nextElementSibling.hidden = parts.length > 0;
}

function preset(wanted) {
  for (const field of switches()) {
    field.checked =
      field.dataset.rule in wanted ? String(wanted[field.dataset.rule]) === field.value : "printed" in field.dataset;
  }
  for (const field of ticked()) field.checked = false;
  show();
}

// The rules and variants of a game that is played again.
export function again({ rules = {}, variants = [] }) {
  if (!sheet) return;
  preset(rules);
  for (const field of sheet.querySelectorAll("input[data-variant]"))
    field.checked = variants.includes(field.dataset.variant);
  show();
}

document.getElementById("change-rules")?.addEventListener("click", () => sheet.showModal());
sheet?.addEventListener("change", show);
sheet?.addEventListener("click", (event) => {
  if (event.target.closest("[data-rules-close]")) sheet.close();
  const wanted = event.target.closest("[data-preset]");
  if (wanted) preset(JSON.parse(wanted.dataset.preset));
});
if (sheet) {
  onTapBeside(sheet, () => sheet.close());
  show();
}
