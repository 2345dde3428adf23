// Whether this device tells which notes change hands at this table: kept in a cookie.

import { refresh, said, table } from "./page.js";
import * as sheet from "./sheet.js";
import { toast } from "./toast.js";

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-notes-toggle]")) return;
  const on = document.cookie.includes(`notes-${table}=1`) ? 0 : 1;
  document.cookie = `notes-${table}=${on}; path=/; max-age=31536000; samesite=lax`;
  sheet.close();
  refresh().catch(() => toast(said.unsent, true));
});
