// A throw is told by one tap for each die: with the last one it is sent, where nothing else is asked.

const OTHERS = "fieldset:not(.dice), .bag, [data-stepper], .offer-part";

// Arrow keys pass over other faces on their way: then the button sends.
let passes = false;
document.addEventListener("keydown", ({ key }) => (passes = key.startsWith("Arrow")), true);
document.addEventListener("pointerdown", () => (passes = false), true);

document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-send]");
  if (passes || !event.target.dataset.die || "previewForm" in form.dataset || form.querySelector(OTHERS)) return;
  if (!form.checkValidity()) return;
  form.querySelector("button:not([type=button])").click(); // also where forms cannot be asked to submit
  form.reset(); // the next throw begins with no die chosen, also where the page keeps the form
});
