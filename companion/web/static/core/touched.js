// What somebody has chosen or written in a form, which a page that is drawn anew leaves as it is.

const touched = new WeakSet();
const sent = new WeakMap();

export const touch = (field) => touched.add(field);
export const isTouched = (field) => touched.has(field);

// What was sent is done with as soon as the table has moved on; a refused form stays as it was filled in.
export const markSent = (form, version) => sent.set(form, version);
export const notSent = (form) => sent.delete(form);

// Notice what is done to the fields of this page.
export function notice() {
  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, (event) => event.target.form && touch(event.target), true);
  }
  document.addEventListener(
    "reset",
    ({ target }) => [...target.elements].forEach((field) => touched.delete(field)),
    true,
  );
}

const isTick = ({ type }) => type === "radio" || type === "checkbox";

function asDrawn(field, group) {
  if (field.type === "radio") {
    const kept = group.some((other) => touched.has(other) && other.checked && !other.disabled);
    if (!kept) field.checked = field.defaultChecked;
  } else if (touched.has(field)) return;
  else if (isTick(field)) field.checked = field.defaultChecked;
  else if (field.nodeName === "SELECT") for (const choice of field.options) choice.selected = choice.defaultSelected;
  else if (field !== document.activeElement && field.value !== field.defaultValue) field.value = field.defaultValue;
}

const fieldsOf = (form) => [...form.elements].filter((field) => field.name && field.nodeName !== "BUTTON");

// Before a place is drawn anew for a version of the table: let go of what was sent for an earlier one.
export function letGo(place, version) {
  for (const form of place.querySelectorAll("form")) {
    if (!(version > sent.get(form))) continue;
    sent.delete(form);
    fieldsOf(form).forEach((field) => touched.delete(field));
  }
}

// After it was drawn anew.
export function settle(place) {
  for (const form of place.querySelectorAll("form")) {
    const fields = fieldsOf(form);
    for (const field of fields)
      asDrawn(
        field,
        fields.filter(({ name }) => name === field.name),
      );
  }
}
