// Whether this device tells which notes change hands at this table: kept in a cookie.

import { keep } from "../core/cookies.js";
import { refresh, said, table } from "../core/page.js";
import * as sheet from "../core/sheet.js";
import { toast } from "../core/toast.js";

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-notes-toggle]");
  if (!button) return;
  keep(`notes-${table}`, button.dataset.notesToggle);
  sheet.close();
  refresh().catch(() => toast(said.unsent, true));
});
