// Make a living part of the page look like newly fetched HTML, touching only what differs: scrolling, focus
// and running transitions stay as they are.

const key = (node) => (node.nodeType === Node.ELEMENT_NODE && node.id) || null;

const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && key(a) === key(b);

const holdsInput = (node) => node === document.activeElement && /^(INPUT|SELECT|TEXTAREA)$/.test(node.nodeName);

// What somebody has unfolded stays so: the server does not know of it.
const mine = (node, name) => name === "open" && node.nodeName === "DETAILS";

// A message that lies on a sheet belongs to no sheet: it goes by itself.
const stays = (node) => node.nodeType === Node.ELEMENT_NODE && "stays" in node.dataset;

function attributes(from, to) {
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !mine(from, name)) from.removeAttribute(name);
  }
  for (const { name, value } of to.attributes) {
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
}

function marked(node) {
  if (!node.dataset?.figure) return;
  node.classList.add("changed");
  setTimeout(() => node.classList.remove("changed"), 2000);
}

export function children(from, to) {
  const keyed = new Map([...from.childNodes].filter(key).map((node) => [key(node), node]));
  let at = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    let match = key(wanted) ? keyed.get(key(wanted)) : at;
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
  if (!holdsInput(from)) attributes(from, to);
  children(from, to);
  if (changed) marked(from);
}

// Where somebody lands who goes by keyboard and whose button has gone: on what is said there, one step before all
// buttons.
export const land = (place) => place.querySelector("[data-landing]")?.focus({ preventScroll: true });

export function morph(place, html) {
  const held = place.contains(document.activeElement) ? document.activeElement : null;
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  children(place, fresh.content);
  if (held && (!held.isConnected || held.disabled)) land(place);
}
