// Hiring stays open and goes on to the next player; a card that the camera asks about comes first.

import * as sheet from "/static/core/sheet.js";

document.addEventListener("table:seen", () => {
  if (sheet.kind() === "hire" && document.querySelector("#proposal [data-proposal]")) sheet.close();
});
