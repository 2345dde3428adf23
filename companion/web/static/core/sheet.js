// The sheet over the tablet: fetched when it is opened, fetched again when the table moves on, nothing chosen lost.

import { keptUp, part, persist, version } from "./page.js";
import { onTapBeside } from "./beside.js";
import { untouched } from "./finger.js";
import { late } from "./late.js";
import { land, morph } from "./morph.js";
import { prepare } from "./forms.js";

export const sheet = document.getElementById("sheet");
let shown = null;
let asked = 0;

export const dressed = () =>
  late("/static/core/sheet_styles.js").then(
    ({ loadStyles }) => loadStyles(sheet),
    () => {},
  );
if (sheet) setTimeout(dressed, 2000);

const SOON = 2_000; // milliseconds that a finger waits

// `module`: fetches the sheet's own: a sheet is not there before its buttons do something.
export async function open(name, more = {}, module = null) {
  const mine = ++asked;
  const [html, own] = await persist(() => Promise.all([part(name, more), module?.(), dressed()]), SOON);
  if (mine !== asked) return; // another one was asked for meanwhile
  const message = sheet.querySelector("[data-stays]");
  sheet.innerHTML = html;
  if (message) sheet.append(message);
  shown = { name, more };
  prepare(sheet);
  if (sheet.open) land(sheet);
  else sheet.showModal();
  if (Number(sheet.querySelector("[data-version]")?.dataset.version) < version()) keepUp().catch(close);
  await own?.begin?.();
}

export async function update(more) {
  if (!shown || !sheet.open) return;
  if (more) shown.more = { ...shown.more, ...more };
  const { name, more: asked } = shown;
  const html = await part(name, asked);
  if (!more) await untouched();
  if (!sheet.open || shown?.more !== asked) return; // another one was asked for meanwhile
  const covered = sheet.querySelector("#cover")?.hidden === false;
  morph(sheet, html, version());
  const cover = sheet.querySelector("#cover");
  if (cover) cover.hidden = !covered;
  prepare(sheet);
  // What the sheet was for has passed.
  if (!sheet.querySelector(".over-body, .over-form, .plan")) close();
}

// Fetched anew when the table moves on, until it has come.
export const keepUp = keptUp(() => update());

export function close() {
  shown = null;
  if (sheet.open) sheet.close();
}

export const isOpen = () => sheet.open;
export const kind = () => shown?.name;

sheet?.addEventListener("close", () => {
  shown = null;
  const note = document.getElementById("toast");
  if (note) document.body.append(note);
  sheet.replaceChildren();
  const live = document.getElementById("live");
  if (live && document.activeElement === document.body) land(live);
});
if (sheet) onTapBeside(sheet, () => kind() === "plan" || close());
