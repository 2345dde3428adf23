// What only sheets need comes after the first paint: their style sheets, placed where the page would have had them, and
// *Back*, which closes them.

import "./back.js";

const PATIENCE = 5_000; // milliseconds: a sheet opens without its styles rather than not at all

let styles = null;

/** @type {(href: string) => Promise<unknown>} */
const linked = (href) =>
  new Promise((done) => {
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    const fail = () => {
      clearTimeout(limit);
      styles = null; // the next sheet tries again
      style.remove();
      done(undefined);
    };
    const limit = setTimeout(fail, PATIENCE);
    style.onload = () => {
      clearTimeout(limit);
      done(undefined);
    };
    style.onerror = fail;
    const worn = [...document.querySelectorAll('link[href*="/tablet"], link[href*="sheets.css"]')];
    worn[worn.length - 1].after(style);
  });

export const loadStyles = (sheet) => (styles ||= Promise.all(sheet.dataset.style.split(" ").map(linked)));
