// At the end tablet and phones wait until the big screen has told it, or until somebody asks to see it here.

let last = 0;
let dialog = null;
let due = 0;

function close() {
  dialog?.close();
}

function hold(place) {
  dialog = document.createElement("dialog");
  dialog.className = "told-elsewhere";
  dialog.append(...[...place.children].map((part) => part.cloneNode(true)));
  dialog.querySelector("button").addEventListener("click", close);
  dialog.addEventListener("close", () => {
    clearTimeout(due);
    dialog?.remove();
    dialog = null;
    delete document.documentElement.dataset.heldBack;
    document.dispatchEvent(new Event("table:again"));
  });
  document.documentElement.dataset.heldBack = "";
  document.body.append(dialog);
  dialog.showModal();
  due = setTimeout(close, Number(place.dataset.seconds) * 1000);
}

function follow() {
  const place = document.getElementById("told-elsewhere");
  if (!place) return close(); // taken back, or the next game
  const entry = Number(place.dataset.entry);
  if (entry > last) {
    last = entry;
    if (!dialog) hold(place);
  }
}

document.addEventListener("table:shown", follow);
follow();

export {};
