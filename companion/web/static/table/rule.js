// "Why?": one rule in a small dialog over whatever is open, which stays as it was.

import { onTapBeside } from "../core/beside.js";
import { get } from "../core/http.js";
import { dressed } from "../core/sheet.js";

const dialog = document.getElementById("rule");

// of: the query of the link, which says whose rule it is.
export async function open(rule, of) {
  const answer = await get(`/rules/${rule}${of}`);
  if (!answer.ok) throw new Error(String(answer.status));
  await dressed();
  dialog.innerHTML = await answer.text();
  if (!dialog.open) dialog.showModal();
}

dialog.addEventListener("click", (event) => {
  if (event.target.closest("[data-close-rule]")) dialog.close();
});
onTapBeside(dialog, () => dialog.close());
