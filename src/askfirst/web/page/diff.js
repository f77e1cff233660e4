// A diff: numbered lines, colours of the language, changed words marked; side by side where there is room.

import { button, el } from "/dom.js";

const WIDE = 900; // pixels of the diff itself
const AT_ONCE = 1500; // lines that are drawn without being asked for
const SIGN_WORDS = { "+": "added", "-": "removed", " ": "", "@": "" };
const CLASSES = { "+": "added", "-": "removed", " ": "same", "@": "place" };

export class Diff {
  constructor(rows, { name = "", onWhole = () => {} } = {}) {
    this.rows = rows;
    this.onWhole = onWhole;
    this.shown = AT_ONCE;
    this.chosen = localStorage.getItem("askfirst-diff") || "";
    this.body = el("div", { class: "diff-body", tabindex: "0", role: "region", "aria-label": `Changes ${name}` });
    this.end = el("span", { class: "end" });
    this.switch = el("span", { class: "segmented", role: "group", "aria-label": "Layout of the diff" },
      ["unified", "split"].map((kind) => button(kind === "split" ? "Side by side" : "Unified", () => this.choose(kind),
        { class: kind })));
    const count = (sign) => rows.filter((row) => row.sign === sign).length;
    this.node = el("section", { class: "diff", "aria-label": "Diff" },
      el("div", { class: "diff-head" },
        name ? el("code", {}, name) : null,
        el("span", { class: "added" }, `+${count("+")}`), el("span", { class: "removed" }, `−${count("-")}`),
        this.switch),
      this.body, this.end);
    this.observer = new ResizeObserver(([entry]) => {
      const isWide = entry.contentRect.width >= WIDE;
      if (isWide === this.isWide) return;
      this.isWide = isWide;
      this.draw();
    });
    this.observer.observe(this.body);
    this.draw();
  }

  get isWhole() {
    return this.shown >= this.rows.length;
  }

  choose(kind) {
    this.chosen = kind;
    localStorage.setItem("askfirst-diff", kind);
    this.draw();
  }

  draw() {
    const onlyNew = !this.rows.some((row) => row.sign === "-");
    const split = this.isWide && this.chosen !== "unified" && !onlyNew;
    this.switch.hidden = !this.isWide || onlyNew;
    for (const choice of this.switch.children) choice.setAttribute("aria-pressed", String(choice.classList.contains("split") === split));
    const rows = this.rows.slice(0, this.shown);
    const lines = split ? sideBySide(rows) : rows.map(unified);
    const rest = this.rows.length - this.shown;
    this.body.replaceChildren(
      el("table", { class: split ? "split" : "unified" }, columns(split ? ["n", "", "n", ""] : ["n", "n", "s", ""]), el("tbody", {}, lines)),
      rest > 0 ? button(`Show the other ${rest} lines`, () => { this.shown = this.rows.length; this.draw(); this.onWhole(); }, { class: "more" }) : "");
  }

  close() {
    this.observer.disconnect();
  }
}

function text({ sign, parts }) {
  const words = SIGN_WORDS[sign];
  return [words ? el("span", { class: "visually-hidden" }, `${words}: `) : null,
    parts.map(([piece, colour, changed]) => {
      const inner = colour ? el("span", { class: `c-${colour}` }, piece) : piece;
      return changed ? el("mark", {}, inner) : inner;
    })];
}

const columns = (names) => el("colgroup", {}, names.map((name) => el("col", { class: name })));

const number = (value) => el("td", { class: "number", "data-n": value || "" });

function unified(row) {
  if (row.sign === "@") return el("tr", { class: "place" }, el("td", { colspan: "4" }, text(row)));
  return el("tr", { class: CLASSES[row.sign] }, number(row.old), number(row.new),
    el("td", { class: "sign", "aria-hidden": "true" }, row.sign === " " ? "" : row.sign), el("td", { class: "text" }, text(row)));
}

function half(row) {
  if (!row) return [el("td", { class: "number none" }), el("td", { class: "text none" })];
  const kind = CLASSES[row.sign];
  return [el("td", { class: `number ${kind}`, "data-n": (row.sign === "+" ? row.new : row.old) || "" }),
    el("td", { class: `text ${kind}` }, text(row))];
}

// Removed lines beside the added ones that took their place.
function sideBySide(rows) {
  const lines = [];
  let removed = [];
  let added = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      lines.push(el("tr", {}, half(removed[at]), half(added[at])));
    }
    removed = [];
    added = [];
  };
  for (const row of rows) {
    if (row.sign === "-") {
      if (added.length) flush();
      removed.push(row);
    } else if (row.sign === "+") {
      added.push(row);
    } else {
      flush();
      if (row.sign === "@") lines.push(el("tr", { class: "place" }, el("td", { colspan: "4" }, text(row))));
      else lines.push(el("tr", {}, half(row), half({ ...row, old: row.new })));
    }
  }
  flush();
  return lines;
}
