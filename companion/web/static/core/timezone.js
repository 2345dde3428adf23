// Times on pages are those of the device that shows them: it tells the server its time zone.

import { keep, kept } from "./cookies.js";

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (zone && !kept("timezone", zone)) {
  keep("timezone", zone);
  // The first page of a device, or the first one after a journey, may have been written in another zone.
  const written = Number(document.documentElement.dataset.utcOffset);
  const differs = written !== -new Date().getTimezoneOffset() && document.querySelector("time:not([data-when])");
  if (differs && kept("timezone", zone)) location.reload();
}
