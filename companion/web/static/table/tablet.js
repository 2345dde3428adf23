// The tablet: every tap ends up here.

import { on, tap } from "../core/actions.js";
import { glance, said, version } from "../core/page.js";
import { askFor, post, reply, send } from "../core/send.js";
import { late, surely } from "../core/late.js";
import { toast } from "../core/toast.js";
import { command, counted, lent, prepare, step } from "../core/forms.js";
import { markSent, notSent, touch } from "../core/touched.js";
import * as sheet from "../core/sheet.js";
import "./ticks.js";

// sheets that show what is seen and asked
const FOLLOWS = new Set(["camera", "device", "differences", "compare", "prepare"]);
const PREVIEW = "/static/table/preview.js";
const CHOICES = "/static/table/choices.js";
const MODULES = {
  camera: "/static/camera/camera_view.js",
  device: "/static/camera/device.js",
  amend: PREVIEW,
  correct: PREVIEW,
  menu: CHOICES,
  seat_menu: CHOICES,
};
const STAYS = new Set(["hire", "compare", "journal", "rename", "menu", "seat_menu"]);

// The second tap of a double tap: something else may lie under the finger by then, of the next player perhaps.
const second = { is: false, ofAnother: false };
let last = { timeStamp: -Infinity, clientX: 0, clientY: 0, act: "" };
document.addEventListener(
  "click",
  ({ target, detail, pointerType, timeStamp, clientX, clientY }) => {
    const tapped = target.closest("[data-command], [data-sheet], button");
    const act = tapped && (tapped.dataset.command ?? tapped.dataset.sheet ?? tapped.form?.dataset.send);
    const near = Math.hypot(clientX - last.clientX, clientY - last.clientY) < 30;
    second.is = detail > 1 || (pointerType === "touch" && near && timeStamp - last.timeStamp < 350);
    second.ofAnother = second.is && act !== last.act;
    last = { timeStamp, clientX, clientY, act };
  },
  true,
);

const unsent = () => toast(said.unsent, true);

on("[data-stepper] [data-add], [data-stepper] [data-all]", (add) => {
  step(add.closest("[data-stepper]"), "all" in add.dataset ? "all" : Number(add.dataset.add));
  counted(add.form);
});
on("[data-close]", () => sheet.close());
on("a[data-rule]", (why, event) => {
  event.preventDefault();
  return late("/static/table/rule.js")
    .then((rules) => rules.open(why.dataset.rule, why.search))
    .catch(() => location.assign(why.href));
});
on("[data-sheet]", (asked) => {
  const { sheet: name, player, contract, seq, guest, account, work, like, figure, chosen } = asked.dataset;
  const bid = contract && asked.form?.querySelector("[data-kind=amount]")?.value;
  const asks = { player, contract, seq, guest, account, work, like, figure, chosen, bid };
  const given = Object.entries(asks).filter(([, value]) => value);
  return sheet.open(name, Object.fromEntries(given), name in MODULES ? () => late(MODULES[name]) : null).catch(unsent);
});
on("[data-tells]", (wish) =>
  late("/static/table/notes.js")
    .then((notes) => notes.tell(wish.dataset.tells))
    .catch(unsent),
);
on("[data-dial]", (dial) => post("dial", { ...dial.dataset }));
on("[data-step-to]", (past) => sheet.update({ seq: past.dataset.stepTo }).catch(unsent));
on("[data-answer]", (answer) => {
  if (!second.is) reply(answer.closest("[data-proposal]").dataset.proposal, answer.dataset.answer);
});
on("[data-agree]", (agree) => {
  const { agreement } = agree.closest("[data-agreement]").dataset;
  if (!second.is) post(`agreements/${agreement}`, { answer: agree.dataset.agree });
});
on("[data-ask]", async (ask) => {
  if (await askFor(JSON.parse(ask.dataset.ask))) sheet.close();
});
on("[data-command]", (act) => second.ofAnother || carryOut(JSON.parse(act.dataset.command)));

async function carryOut(what) {
  const from = sheet.kind();
  const done = await send(what);
  if (done && from === "amend") await sheet.open("journal").catch(() => sheet.close());
  else if (done && sheet.isOpen() && sheet.kind() === from && !STAYS.has(from)) sheet.close();
  return done;
}

document.addEventListener("click", (event) => tap(event));
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if ("scan" in form.dataset) event.preventDefault(); // its program may be on its way
  if (!form.dataset.send) return;
  event.preventDefault();
  if ("previewForm" in form.dataset || second.ofAnother) return; // its effects are shown first
  markSent(form, version());
  if (!(await carryOut(command(form, event.submitter)))) notSent(form);
});
document.addEventListener("change", (event) => {
  const form = event.target.closest("form");
  if (form) counted(form);
  if (form?.matches("[data-lends]")) lent(form);
  const booked = event.target.dataset.booked;
  const stepper = form?.querySelector("[data-stepper]");
  if (booked && stepper) {
    const field = stepper.querySelector("input");
    field.value = booked;
    touch(field);
    step(stepper, 0);
  }
});
document.addEventListener("table:shown", () => {
  prepare(document.getElementById("live"));
  sheet.keepUp().catch(() => sheet.close());
});
document.addEventListener("table:back", () => toast(said.back));
document.addEventListener("table:sight", () => {
  glance()
    .then(() => {
      document.dispatchEvent(new Event("table:seen"));
      return FOLLOWS.has(sheet.kind()) && sheet.keepUp();
    })
    .catch(() => {});
});
prepare(document);
document.dispatchEvent(new Event("page:ready"));
// Not needed for the first paint, nor for any tap.
const REST = ["/static/core/pressed.js", "/static/camera/scan.js", "/static/table/suggest.js", CHOICES];
setTimeout(() => REST.forEach(surely), 700);
