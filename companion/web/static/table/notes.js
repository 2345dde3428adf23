// Whether this device tells which notes change hands at this table: kept in a cookie.

import { keep } from "../core/cookies.js";
import { refresh, table } from "../core/page.js";
import * as sheet from "../core/sheet.js";

export function tell(wish) {
  keep(`notes-${table}`, wish);
  sheet.close();
  return refresh();
}
