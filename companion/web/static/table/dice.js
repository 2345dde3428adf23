// A throw is told by one tap for each die: with the last one it is sent, where nothing else is asked.

const OTHERS = "fieldset:not(.dice), .bag, [data-stepper], .offer-part";

document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-send]");
  if (!event.target.dataset.die || "previewForm" in form.dataset || form.querySelector(OTHERS)) return;
  if (!form.checkValidity()) return;
  form.requestSubmit();
  form.reset(); // the next throw begins with no die chosen, also where the page keeps the form
});
