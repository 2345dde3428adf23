// Somebody has laid the card SUGGEST: the best plan comes up by itself, once.

import { said } from "./page.js";
import { toast } from "./toast.js";
import * as sheet from "./sheet.js";

const asked = () => document.querySelector("#suggest [data-suggest]")?.dataset || {};
let helped = asked().suggest;

document.addEventListener("table:seen", () => {
  const { suggest, player } = asked();
  if (suggest && suggest !== helped) sheet.open("plan", { player, suggest: "1" }).catch(() => toast(said.unsent, true));
  helped = suggest;
});
