// Building elements. Text only ever becomes text: there is no way through here for markup.

const SVG = "http://www.w3.org/2000/svg";

export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    } else if (value === true) {
      node.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, value);
    }
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

export function button(words, click, attributes = {}) {
  return el("button", { type: "button", ...attributes, on: { click } }, words);
}

// A sentence whose `parts in backticks` become code.
export function prose(text) {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return [text];
  return parts.map((part, at) => (at % 2 ? el("code", {}, part) : part));
}

export const byId = (id) => document.getElementById(id);

const ICONS = {
  queue: "M3 5h18M3 12h18M3 19h11",
  history: "M12 7v5l3 2M21 12a9 9 0 1 1-3-6.7M21 3v4h-4",
  rules: "M9 11l2 2 4-4M5 4h14v16H5z",
  suggestions: "M9 18h6M10 21h4M12 3a6 6 0 0 1 4 10.5c-.8.8-1 1.5-1 2.5H9c0-1-.2-1.7-1-2.5A6 6 0 0 1 12 3z",
  log: "M4 4h16v16H4zM8 9h8M8 13h8M8 17h5",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  team: "M16 20v-2a4 4 0 0 0-4-4H7a4 4 0 0 0-4 4v2M9.5 10a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM21 20v-2a4 4 0 0 0-3-3.9",
  back: "M15 5l-7 7 7 7",
  check: "M5 12.5l4.5 4.5L19 7.5",
};

export function icon(name) {
  const shape = { viewBox: "0 0 24 24", width: "18", height: "18", class: "icon", "aria-hidden": "true" };
  return svg("svg", shape, svg("path", { d: ICONS[name] }));
}
