// What pages of the default UI do besides what all pages do.

import "./dice.js";
import "./switches.js";
import "./flights.js";
import "./fit.js";
import "./hold.js";
import "./pays.js";
import "./going.js";
import "./outlook.js";
import { isTouched } from "../core/touched.js";
import { toast } from "../core/toast.js";

// What was counted and not sent is not lost to a tap on something else: the first such tap says so and does nothing.
const warned = new WeakSet();

document.addEventListener(
  "click",
  (event) => {
    const { target } = event;
    const act = target instanceof Element && target.closest("[data-command]:not(.undo)");
    if (!act || act.closest("dialog")) return;
    for (const form of document.querySelectorAll("form[data-left]")) {
      const left = [...form.elements].some((field) => isTouched(field) && Number(field.value) > 0);
      if (!left) warned.delete(form);
      else if (!warned.has(form)) {
        warned.add(form);
        event.stopImmediatePropagation();
        toast(form.dataset.left, true);
        return;
      }
    }
  },
  true,
);
