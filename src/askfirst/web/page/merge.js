// Saying yes to a write in another way. The choice makes another card of it, with the final diff, to be read like the
// first. For an insert the file is shown with line numbers; a wrong line is explained, the third and giving up deny.

import { el } from "/dom.js";

const MAX_TRIES = 3;
const NO_LINE = "no line was chosen, so nothing was written";

export class Ways {
  constructor(card) {
    this.card = card;
    this.tries = 0;
    this.problem = el("span", { class: "problem", role: "alert" });
    this.meaning = el("span", { class: "hint" });
    this.panel = el("div", { class: "lines", hidden: true });
    this.node = el("div", { class: "ways", role: "group", "aria-label": "how to merge the new content" },
      el("span", { class: "hint" }, "How should the new content be merged with the file?"),
      el("div", { class: "row" }, card.asked.strategies.map(({ name, meaning }) =>
        el("button", { type: "button", class: `way ${name}`, title: meaning, on: { click: () => this.choose(name) } },
          name))),
      this.meaning, this.panel, this.problem);
    this.mark(card.merge?.strategy || "replace");
  }

  mark(chosen) {
    for (const way of this.node.querySelectorAll(".way")) {
      way.setAttribute("aria-pressed", String(way.classList.contains(chosen)));
    }
    this.meaning.textContent = this.card.asked.strategies.find(({ name }) => name === chosen).meaning;
  }

  focus() {
    this.node.querySelector("button").focus();
  }

  async choose(strategy) {
    this.problem.textContent = "";
    if (strategy === "replace") this.card.become(null);
    else if (strategy === "insert") await this.askForLine();
    else await this.show(strategy);
  }

  async show(strategy, line = "") {
    const found = await this.card.ask("/api/merge", { strategy, line });
    if (found.ok) this.card.become(found);
    else this.problem.textContent = found.error;
  }

  // Nothing else can be chosen until there is a line: leaving without one is a deny, as in the dialog.
  async askForLine() {
    const found = await this.card.ask("/api/lines");
    if (!found.ok) {
      this.problem.textContent = found.error;
      return;
    }
    this.mark("insert");
    for (const way of this.node.querySelectorAll(".way")) way.disabled = true;
    const typed = el("input", {
      type: "text",
      inputmode: "numeric",
      class: "line",
      maxlength: "12",
      autocomplete: "off",
      "aria-label": `insert after line, 0 to ${found.count}`,
    });
    this.panel.replaceChildren(
      el("pre", { tabindex: "0", "aria-label": "the file with line numbers" }, found.lines.join("\n")),
      el("form", { on: { submit: (event) => { event.preventDefault(); this.entered(typed, found.count); } } },
        el("label", {}, `insert after line (0 to ${found.count}) `, typed), " ",
        el("button", { class: "show" }, "Show the result"), " ",
        el("button", { type: "button", class: "cancel", on: { click: () => this.card.deny(NO_LINE) } },
          "Cancel and deny")));
    this.panel.hidden = false;
    this.card.refresh();
    typed.focus();
  }

  // After an answer that did not count, all of it can be chosen again.
  reopen() {
    for (const button of this.node.querySelectorAll("button")) {
      button.disabled = this.card.closed || (this.isOpen && button.matches(".way"));
    }
  }

  get isOpen() {
    return !this.panel.hidden;
  }

  async entered(typed, count) {
    const given = typed.value.trim();
    if (!given) return this.card.deny(NO_LINE);
    if (/^[0-9]+$/.test(given) && Number(given) <= count) return this.show("insert", given);
    this.tries += 1;
    if (this.tries >= MAX_TRIES) return this.card.deny(`no valid line in ${MAX_TRIES} tries, so nothing was written`);
    this.problem.textContent = `“${given}” is not a number from 0 to ${count}`;
    typed.value = "";
    return null;
  }
}
