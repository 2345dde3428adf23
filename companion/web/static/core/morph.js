// Make a living part of the page look like newly fetched HTML, touching only what differs: scrolling, focus
// and running transitions stay as they are.  What acts or is chosen is matched by what it does, never by its place:
// no button turns into its neighbour under a finger.

import { isTouched, letGo, settle } from "./touched.js";

const FIELDS = new Set(["INPUT", "SELECT", "TEXTAREA"]);
const HOLDERS = new Set(["LABEL", "FIELDSET", "foreignObject"]); // what holds a choice is known by it
const SET_HERE = new Set(["work"]); // what the page's code has put there itself

const named = ({ name, type, value, dataset }) =>
  type === "radio" || type === "checkbox" ? `${name}=${value}` : `${name} ${dataset.of ?? ""}`;

function does({ nodeName, dataset }) {
  const acts = Object.entries(dataset).filter(([name]) => !SET_HERE.has(name));
  return acts.length ? `${nodeName} ${JSON.stringify(acts)}` : null;
}

function key(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return null;
  if (node.id) return `#${node.id} ${node.dataset.for ?? ""}`;
  const { nodeName } = node;
  if (FIELDS.has(nodeName)) return node.name ? `${nodeName} ${named(node)}` : null;
  if (nodeName === "BUTTON") return does(node);
  if (nodeName === "FORM") return node.dataset.send ? `FORM ${node.dataset.send} ${node.dataset.for ?? ""}` : null;
  if (nodeName === "OPTION") return `OPTION ${node.value}`;
  const field = HOLDERS.has(nodeName) || "stepper" in node.dataset;
  const first = field && node.querySelector("input[name], select[name], textarea[name]");
  if (!first) return null;
  return `${nodeName} ${nodeName === "FIELDSET" ? first.name : named(first)}`;
}

const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && key(a) === key(b);

// What somebody has unfolded stays so, and an amount that was set stays while it is possible.
function mine(node, name, to) {
  if (name === "open") return node.nodeName === "DETAILS";
  if (name !== "value" || !FIELDS.has(node.nodeName)) return false;
  if (node === document.activeElement) return true;
  const { least, most } = to?.closest("[data-stepper]")?.dataset ?? {};
  return node.type === "hidden" && isTouched(node) && Number(node.value) >= least && Number(node.value) <= most;
}

// A message that lies on a sheet belongs to no sheet: it goes by itself.
const stays = (node) => node.nodeType === Node.ELEMENT_NODE && "stays" in node.dataset;

function attributes(from, to) {
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !mine(from, name, to)) from.removeAttribute(name);
  }
  for (const { name, value } of to.attributes) {
    if (from.getAttribute(name) !== value && !mine(from, name, to)) from.setAttribute(name, value);
  }
}

function marked(node) {
  if (!node.dataset?.figure) return;
  node.classList.add("changed");
  setTimeout(() => node.classList.remove("changed"), 2000);
}

// By what they do, in order: of two that do the same each is matched once.
function keyed(nodes) {
  const lists = new Map();
  for (const node of nodes) {
    const name = key(node);
    if (name) lists.set(name, [...(lists.get(name) || []), node]);
  }
  return lists;
}

export function children(from, to) {
  const present = keyed(from.childNodes);
  const wantedThere = keyed(to.childNodes);
  for (const [name, nodes] of present) {
    for (const gone of nodes.splice(wantedThere.get(name)?.length ?? 0)) if (!stays(gone)) gone.remove();
  }
  let at = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    const name = key(wanted);
    let match = name ? present.get(name)?.shift() : at;
    if (match && !alike(match, wanted)) match = null;
    if (!match) {
      from.insertBefore(wanted, at);
      continue;
    }
    if (match === at) at = at.nextSibling;
    else from.insertBefore(match, at);
    node(match, wanted);
  }
  while (at) {
    const next = at.nextSibling;
    if (!stays(at)) at.remove();
    at = next;
  }
}

function node(from, to) {
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.data !== to.data) from.data = to.data;
    return;
  }
  if (from.isEqualNode(to)) return;
  if (from.dataset?.live && from.dataset.live === to.dataset.live) return; // a picture that is fetched by itself
  const changed = from.dataset?.figure && from.textContent !== to.textContent;
  attributes(from, to);
  children(from, to);
  if (changed) marked(from);
}

// Where somebody lands who goes by keyboard and whose button has gone: on what is said there.
export const land = (place) => place.querySelector("[data-landing]")?.focus({ preventScroll: true });

export function morph(place, html, version) {
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  letGo(place, version ?? Number(fresh.content.querySelector("#state")?.dataset.version));
  children(place, fresh.content);
  settle(place);
  if (!focused || (focused === document.activeElement && !focused.disabled)) return;
  if (focused.isConnected && !focused.disabled) focused.focus({ preventScroll: true });
  else land(place);
}
