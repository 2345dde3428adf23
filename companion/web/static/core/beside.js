// A tap beside what a dialog shows.  It has to begin there, too: text that is marked may end beside it.

export function onTapBeside(dialog, act) {
  let begun = false;
  dialog.addEventListener("pointerdown", ({ target }) => {
    begun = target === dialog;
  });
  dialog.addEventListener("click", ({ target }) => begun && target === dialog && act());
}
