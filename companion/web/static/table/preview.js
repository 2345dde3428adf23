// What a replacement would lead to is shown while it is chosen; looking books nothing.

import { on } from "../core/actions.js";
import { command } from "../core/forms.js";
import { said } from "../core/page.js";
import { toast } from "../core/toast.js";
import * as sheet from "../core/sheet.js";

const PAUSE = 300; // milliseconds from the last key to the look
let timer = 0;
let asked = "";

// What is shown is not what is chosen any more: it cannot be applied until the effects of this are there.
function outdated() {
  for (const apply of sheet.sheet.querySelectorAll(".over-foot .filled")) apply.disabled = true;
}

function showEffects(instead, draft = "") {
  clearTimeout(timer);
  outdated();
  asked = instead;
  return sheet.update({ instead, draft }).catch(() => {
    asked = "";
    toast(said.unsent, true);
  });
}

const chosen = (form) => JSON.stringify(command(form));
const lookAt = (form, fits = form.checkValidity()) => form.isConnected && fits && showEffects(chosen(form));

// What cannot be is said once the field is left, not while it is typed.
function lookSoon({ target, type }) {
  const form = target.closest('[data-preview-form="live"]');
  if (!form) return;
  if (type === "change") form.reportValidity();
  // A field that is left says once more what it said when it was typed in.
  if (chosen(form) === asked) return;
  asked = ""; // also if the same is chosen again
  outdated();
  clearTimeout(timer);
  timer = setTimeout(() => lookAt(form), PAUSE);
}

on("[data-preview]", (looked) => showEffects(looked.dataset.preview, looked.dataset.draft));
document.addEventListener("submit", (event) => {
  if ("previewForm" in event.target.dataset) lookAt(event.target);
});
document.addEventListener("input", lookSoon);
document.addEventListener("change", lookSoon);
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-stepper] button")) lookSoon(event);
});

// The journal beside the sheet begins at the entry that is put right.
export function begin() {
  asked = "";
  const entry = sheet.sheet.querySelector(".side-column .amended");
  entry?.parentElement.parentElement.scrollTo({ top: entry.offsetTop - 2 * entry.offsetHeight });
}
