// Pictures as plain SVG. Each says its figures in words, too.

import { el, svg } from "/dom.js";

const KINDS = ["allowed", "denied", "unanswered"];
const HEIGHT = 110;
const BAR = 26;
const GAP = 8;

// Prompts per day: what was allowed, denied and not answered, one above the other.
export function byDay(days, count, now) {
  const names = [...Array(count).keys()].map((back) => day(now - (count - 1 - back) * 86400));
  const total = (name) => KINDS.reduce((sum, kind) => sum + (days[name]?.[kind] || 0), 0);
  const most = Math.max(1, ...names.map(total));
  const width = names.length * (BAR + GAP);
  const bars = names.map((name, at) => {
    let y = HEIGHT;
    const said = `${name}: ${KINDS.map((kind) => `${days[name]?.[kind] || 0} ${kind}`).join(", ")}`;
    return svg("g", {}, svg("title", {}, said), svg("rect", { x: at * (BAR + GAP), y: 0, width: BAR, height: HEIGHT, class: "hit" }),
      KINDS.map((kind) => {
        const height = HEIGHT * (days[name]?.[kind] || 0) / most;
        y -= height;
        return svg("rect", { x: at * (BAR + GAP), y, width: BAR, height, class: `bar-${kind}` });
      }));
  });
  const sum = (kind) => names.reduce((all, name) => all + (days[name]?.[kind] || 0), 0);
  const words = `Prompts per day over ${count} days: ${KINDS.map((kind) => `${sum(kind)} ${kind}`).join(", ")}; at most ${most} on one day`;
  return el("figure", { class: "chart" },
    el("figcaption", {}, "Prompts per day", el("span", { class: "legend" }, KINDS.map((kind) => el("span", { class: `key ${kind}` }, kind)))),
    svg("svg", { viewBox: `0 0 ${width} ${HEIGHT + 18}`, role: "img", "aria-label": words },
      svg("line", { x1: 0, x2: width, y1: HEIGHT, y2: HEIGHT, class: "axis" }), bars,
      svg("text", { x: 0, y: HEIGHT + 14 }, names[0].slice(5)), svg("text", { x: width - GAP, y: HEIGHT + 14, "text-anchor": "end" }, names[names.length - 1].slice(5))));
}

function day(time) {
  const at = new Date(time * 1000);
  const two = (value) => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

// Names with bars: the longest is the most.
export function ranked(title, figures, words = (name) => name) {
  const entries = Object.entries(figures).filter(([, count]) => count > 0);
  const most = Math.max(1, ...entries.map(([, count]) => count));
  return el("figure", { class: "chart" }, el("figcaption", {}, title),
    entries.length ? el("table", { class: "ranked" }, el("tbody", {}, entries.map(([name, count]) => el("tr", {},
      el("th", { scope: "row" }, words(name)),
      el("td", {}, svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { width: 100 * count / most, height: 10, rx: 2, class: "bar-plain" }))),
      el("td", { class: "figure" }, String(count)))))) : el("p", { class: "hint" }, "Nothing yet"));
}
