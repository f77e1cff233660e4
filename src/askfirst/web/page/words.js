// The page's words: times, names, how a request ended.

const ENDS = {
  once: "Allowed once",
  session: "Allowed for the session",
  timed: "Allowed for a time",
  permanent: "Allowed permanently",
  denied: "Denied",
  expired: "Expired",
  cancelled: "Withdrawn",
  gone: "Gone",
  waits: "Still waits",
};
const LABELS = { untrusted: "has read untrusted text", secret: "has seen a secret" };

export function ending({ state, by, reason }) {
  const person = by && !["timeout", "cancelled"].includes(by) ? ` by ${by}` : "";
  return `${ENDS[state] || state}${person}${reason ? `: ${reason}` : ""}`;
}

export const stateWords = (state) => ENDS[state] || state;

export const labelWords = (kind) => LABELS[kind] || kind;

// Seconds only where they matter, so that an idle page has little to draw.
export function timeLeft(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  return `${Math.ceil(whole / 60)} min`;
}

export function ago(seconds) {
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86400)} d ago`;
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

export function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

export function countText(request) {
  return request.count > 1 ? `×${request.count}${request.agents > 1 ? ` from ${request.agents} sessions` : ""}` : "";
}

export function firstLine(text) {
  return text.split("\n", 1)[0];
}

// A file by its place in the project, as people call it.
export function titleOf(request) {
  const inside = request.project && request.command.startsWith(`${request.project}/`);
  return request.change && inside ? request.command.slice(request.project.length + 1) : request.command;
}

export function kindOf(request) {
  if (request.change) return request.change.startsWith("merged") ? request.change : `${request.change.toLowerCase()} file`;
  return request.tool === "Bash" ? "command" : request.tool;
}
