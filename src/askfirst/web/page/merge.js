// Saying yes to a write in another way. The choice makes another card of it, with the final diff, to be read like the
// first. For an insert the file is shown with line numbers; Esc and Back lead back to what was there before.

import { button, el } from "/dom.js";

export class Ways {
  constructor(card) {
    this.card = card;
    this.problem = el("p", { class: "problem", role: "alert" });
    this.meaning = el("span", { class: "hint" });
    this.panel = el("div", { class: "lines", hidden: true });
    this.chosen = card.merge?.strategy || "replace";
    this.node = el("section", { class: "ways", role: "group", "aria-label": "How the new content is written" },
      el("h3", {}, "How should it be written?"),
      el("div", { class: "segmented" }, card.asked.strategies.map(({ name, meaning }) =>
        button(name, () => this.choose(name), { class: `way ${name}`, title: meaning }))),
      this.meaning, this.panel, this.problem);
    this.mark(this.chosen);
  }

  mark(chosen) {
    for (const way of this.node.querySelectorAll(".way")) {
      way.setAttribute("aria-pressed", String(way.classList.contains(chosen)));
    }
    this.meaning.textContent = this.card.asked.strategies.find(({ name }) => name === chosen)?.meaning || "";
  }

  focus() {
    this.node.querySelector("button").focus();
  }

  async choose(strategy) {
    this.problem.textContent = "";
    this.close();
    if (strategy === "replace") this.card.become(null);
    else if (strategy === "insert") await this.askForLine();
    else await this.show(strategy);
  }

  async show(strategy, line = "") {
    const found = await this.card.ask("/api/merge", { strategy, line });
    if (found.ok) this.card.become(found);
    else this.problem.textContent = found.error;
  }

  async askForLine() {
    const found = await this.card.ask("/api/lines");
    if (!found.ok) {
      this.problem.textContent = found.error;
      return;
    }
    this.mark("insert");
    const typed = el("input", { type: "text", inputmode: "numeric", class: "line", maxlength: "12", autocomplete: "off",
      "aria-label": `Insert after line, 0 to ${found.count}` });
    const submit = (event) => { event.preventDefault(); this.entered(typed, found.count); };
    const keydown = (event) => { if (event.key === "Escape") { event.stopPropagation(); this.back(); } };
    this.panel.replaceChildren(
      el("pre", { tabindex: "0", "aria-label": "The file with line numbers" }, found.lines.join("\n")),
      el("form", { on: { submit, keydown } },
        el("label", {}, `Insert after line (0 to ${found.count}) `, typed), " ",
        el("button", { class: "show" }, "Show the result"), " ",
        button("Back", () => this.back(), { class: "cancel" })));
    this.panel.hidden = false;
    this.card.refresh();
    typed.focus();
  }

  back() {
    this.close();
    this.mark(this.chosen);
    this.focus();
  }

  close() {
    this.panel.hidden = true;
    this.panel.replaceChildren();
    this.problem.textContent = "";
    this.card.refresh();
  }

  get isOpen() {
    return !this.panel.hidden;
  }

  entered(typed, count) {
    const given = typed.value.trim();
    if (/^[0-9]+$/.test(given) && Number(given) <= count) return this.show("insert", given);
    this.problem.textContent = given ? `“${given}” is not a number from 0 to ${count}` : `Type a number from 0 to ${count}`;
    typed.value = "";
    return null;
  }
}
