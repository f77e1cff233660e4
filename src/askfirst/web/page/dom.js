// Building elements. Text only ever becomes text: there is no way through here for markup.

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    } else if (value === true) {
      node.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, value);
    }
  }
  node.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

// A sentence whose `parts in backticks` become code.
export function prose(text) {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return [text];
  return parts.map((part, at) => (at % 2 ? el("code", {}, part) : part));
}

export function seconds(left) {
  const whole = Math.max(0, Math.ceil(left));
  return whole >= 60 ? `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}` : `${whole} s`;
}

export function when(time) {
  const at = new Date(time * 1000);
  const clock = at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
  if (at.toDateString() === new Date().toDateString()) return clock;
  return `${at.toLocaleDateString([], { day: "numeric", month: "short" })} ${clock}`;
}

export function nameOf(path) {
  return path.split("/").filter(Boolean).pop() || path;
}
