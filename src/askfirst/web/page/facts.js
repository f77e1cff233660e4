// The parts of a card that only show: the command with its risky parts marked, the facts, deletions.

import { el, prose } from "/dom.js";

const KINDS = { run: "runs", write: "writes", read: "reads", use: "uses", unknown: "unclear" };
const DECIDED = { allow: "allowed", ask: "asks", deny: "denied", contain: "runs contained" };
const SIGNS = { allow: "✓", ask: "?", deny: "✗", contain: "▣" };
const MAX_NAMES = 8;

// What is asked for or refused is marked in the command itself, wherever its text stands there as whole words.
export function marked(request, text) {
  const places = [];
  for (const line of request.lines) {
    const part = line.kind === "unknown" ? line.text.slice(line.text.indexOf(": ") + 2) : line.text;
    if (line.decision === "allow" || !part.trim() || part === text) continue;
    const isFree = (at) => places.every(([from, to]) => at >= to || at + part.length <= from);
    let at = text.indexOf(part);
    while (at >= 0 && !(isWhole(text, at, at + part.length) && isFree(at))) at = text.indexOf(part, at + 1);
    if (at >= 0) places.push([at, at + part.length, line]);
  }
  places.sort((a, b) => a[0] - b[0]);
  const parts = [];
  let done = 0;
  for (const [from, to, line] of places) {
    const kind = line.danger ? "danger" : line.decision;
    parts.push(text.slice(done, from), el("mark", { class: kind, title: line.reason }, text.slice(from, to)));
    done = to;
  }
  parts.push(text.slice(done));
  return parts.filter(Boolean);
}

function isWhole(text, from, to) {
  const ends = /[\s;|&()<>'"`=$]/;
  const begins = from === 0 || ends.test(text[from - 1]) || ends.test(text[from]);
  return begins && (to === text.length || ends.test(text[to]) || ends.test(text[to - 1]));
}

// What asks comes first: that is what a person decides on.
export function facts(lines) {
  const order = { deny: 0, ask: 1, contain: 2, allow: 3 };
  const sorted = [...lines].sort((a, b) => order[a.decision] - order[b.decision]);
  return el("ul", { class: "facts", "aria-label": "What it would do" }, sorted.map((line) =>
    el("li", { class: line.decision },
      el("span", { class: "sign", role: "img", "aria-label": DECIDED[line.decision] }, SIGNS[line.decision] || "?"),
      el("div", {},
        el("span", { class: "kind" }, KINDS[line.kind] || line.kind), " ", el("code", {}, line.text),
        el("div", { class: "hint" },
          prose(line.reason), line.origin && line.origin !== "no rule" ? el("span", { class: "origin" }, line.origin) : null)))));
}

// How much comes last in what is deleted, and is said first.
export function deletions(deleted) {
  if (!deleted.length) return null;
  const names = deleted.slice(0, -1);
  const rest = names.slice(MAX_NAMES);
  const list = (some) => el("ul", {}, some.map((name) => el("li", {}, name)));
  return el("div", { class: "deleted" }, el("strong", {}, `DELETES ${deleted[deleted.length - 1]}`),
    names.length ? list(names.slice(0, MAX_NAMES)) : null,
    rest.length ? el("details", {}, el("summary", {}, `and ${rest.length} more`), list(rest)) : null);
}
