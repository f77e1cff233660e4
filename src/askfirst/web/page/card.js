// One request. Its buttons work one second after the card appeared or moved, so that a click meant for something else
// answers nothing; a long command and a long diff must be read to the end first; danger wants CONFIRM typed in full.

import { el, nameOf, prose, seconds } from "/dom.js";
import { Ways } from "/merge.js";
import { deletions, diffView, facts, marked } from "/parts.js";

const READY_AFTER_MS = 1000;
const PROBLEM_MS = 1500; // how long an answer that was not accepted is explained
const MAX_REASON_CHARS = 500;
const LABELS = { session: "Session", permanent: "Permanent", once: "Once" };
const ENDS = {
  once: "allowed once",
  session: "allowed for the session",
  timed: "allowed for a time",
  permanent: "allowed permanently",
  denied: "denied",
  expired: "expired",
  cancelled: "withdrawn",
};
const FLAGGED = "⚑ This session is flagged for review: it was denied often in a short time. "
  + "You can allow each call only once.";

export function ending(message) {
  const by = message.by && !["timeout", "cancelled"].includes(message.by) ? ` by ${message.by}` : "";
  return `${ENDS[message.state] || message.state}${by}${message.reason ? ` — ${message.reason}` : ""}`;
}

export function countText(request) {
  return request.count > 1 ? `×${request.count}${request.agents > 1 ? ` from ${request.agents} sessions` : ""}` : "";
}

export class Card {
  // `merge`: how a person wants the file written instead, with the card that shows it.
  constructor(asked, queue, merge = null) {
    const request = merge ? merge.card : asked;
    this.asked = asked;
    this.request = request;
    this.merge = merge;
    this.queue = queue;
    this.ready = this.closed = false;
    this.count = el("span", { class: "times" }, countText(request));
    this.left = el("span", { class: "left", role: "timer", "aria-label": "time left" });
    this.bar = el("progress", { max: "1", value: "1", "aria-hidden": "true" });
    this.state = el("span", { class: "status", role: "status" });
    this.command = el("pre", { class: "command", tabindex: "0", "aria-label": "the whole command" },
      ...marked(request));
    this.diff = request.diff ? diffView(request.diff) : null;
    this.unread = new Map([[this.command, "command"]]);
    if (this.diff) this.unread.set(this.diff.querySelector("pre"), "diff");
    this.reason = el("input", {
      type: "text",
      class: "reason",
      placeholder: "reason, for the agent",
      "aria-label": "reason for denying",
      maxlength: String(MAX_REASON_CHARS),
      on: { keydown: (event) => { if (event.key === "Enter" && !event.isComposing) this.answer("deny"); } },
    });
    this.confirm = !request.confirm ? null : el("input", {
      type: "text",
      class: "confirm",
      placeholder: "type CONFIRM",
      "aria-label": "type CONFIRM to allow",
      autocomplete: "off",
      spellcheck: "false",
      on: { input: () => this.refresh() },
    });
    this.step = el("select", { class: "step", "aria-label": "what Session and Permanent cover",
      on: { change: () => { this.showScope(); this.restart(); } } });
    (asked.steps || []).forEach((step, n) => {
      const words = (step.session && step.session.scope) || (step.permanent && step.permanent.scope) || "";
      this.step.append(el("option", { value: String(n), selected: n === asked.step }, words));
    });
    this.scope = el("div", { class: "scope" });
    this.buttons = new Map();
    this.ways = asked.strategies.length ? new Ways(this) : null;
    this.node = this.build();
    this.showScope();
    this.watcher = new ResizeObserver(() => this.look());
    for (const box of this.unread.keys()) {
      box.addEventListener("scroll", () => this.look(), { passive: true });
      this.watcher.observe(box);
    }
  }

  build() {
    const { request } = this;
    const danger = request.is_dangerous;
    const title = `title-${request.request_id}`;
    const id = `card-${request.request_id}`;
    const denying = { click: () => this.answer("deny") };
    const subagent = request.subagent ? ` / ${request.subagent}` : "";
    return el("article", { class: danger ? "card danger" : "card", id, tabindex: "-1", "aria-labelledby": title },
      this.bar,
      el("header", {},
        el("h2", { id: title },
          el("span", { class: "badge" }, this.badge()), " ",
          el("span", { title: request.project }, nameOf(request.project))),
        el("span", { class: "who" }, `${request.agent}${subagent} · session ${request.session.slice(0, 8)}`),
        this.count, this.left),
      request.flagged ? el("p", { class: "flag" }, FLAGGED) : null,
      danger && request.warning_text ? el("p", { class: "warning" }, request.warning_text) : null,
      this.command,
      request.said ? el("blockquote", {}, "the agent says: ", el("q", {}, request.said)) : null,
      this.reasons(),
      deletions(request.deleted),
      this.diff,
      this.ways?.node,
      request.notes.map((note) => el("p", { class: "note" }, prose(note))),
      el("p", { class: "where" }, `in ${request.cwd} · id ${request.request_id.slice(0, 6)}`),
      this.scope,
      el("div", { class: "answers" },
        this.confirm,
        ["session", "permanent", "once"].map((kind) => this.button(kind, request.choices[kind])),
        this.timed(),
        el("span", { class: "denying" },
          el("button", { type: "button", class: "deny", "aria-keyshortcuts": "d", on: denying },
            "Deny", el("kbd", { "aria-hidden": "true" }, "D")),
          this.reason)),
      el("footer", {}, this.state));
  }

  badge() {
    const { is_dangerous, change, tool } = this.request;
    if (is_dangerous) return "⚠ DANGEROUS";
    if (this.merge) return change;
    if (change) return `${change.toLowerCase()} file`;
    return tool === "Bash" ? "Command" : tool;
  }

  // The facts say why. The sentence above them stays only where it says something else.
  reasons() {
    const { why, lines, change } = this.request;
    if (change || !lines.length) return el("p", { class: "why" }, prose(why));
    const said = lines.some((line) => line.decision !== "allow" && why.startsWith(line.reason));
    return [said ? null : el("p", { class: "why" }, prose(why)), facts(lines)];
  }

  button(kind, choice) {
    const refused = choice ? choice.refused : "not offered for this request";
    const button = el("button", {
      type: "button",
      class: kind,
      disabled: true,
      title: refused || choice.scope,
      "aria-keyshortcuts": kind[0],
      on: { click: () => this.answer(kind) },
    }, LABELS[kind], el("kbd", { "aria-hidden": "true" }, kind[0].toUpperCase()));
    if (!refused) this.buttons.set(kind, button);
    else button.append(el("span", { class: "visually-hidden" }, ` (not offered: ${refused})`));
    return button;
  }

  timed() {
    const choice = this.request.choices.timed;
    if (!choice || choice.refused) return null;
    this.span = el("select", { "aria-label": "for how long" },
      el("option", { value: "900" }, "15 min"),
      el("option", { value: "3600", selected: true }, "1 hour"),
      el("option", { value: "28800" }, "8 hours"));
    const on = { click: () => this.answer("timed") };
    const button = el("button", { type: "button", class: "timed", disabled: true, on }, "For");
    this.buttons.set("timed", button);
    return el("span", { class: "timed-group" }, button, this.span);
  }

  // What each answer would remember, before it is given.
  showScope() {
    const steps = this.request.steps || [];
    const { session, permanent, once } = steps[Number(this.step.value)] || this.request.choices;
    const rows = [];
    const row = (name, ...what) => rows.push(el("dt", {}, name), el("dd", {}, what));
    if (session && !session.refused) row("Session covers", prose(session.scope));
    if (permanent && !permanent.refused) {
      row("Permanent adds",
        el("pre", { class: "entry" }, permanent.entry),
        el("div", { class: "hint" }, `to ${permanent.file}`));
    }
    const refusals = new Map();
    for (const [name, choice] of [["Session", session], ["Permanent", permanent], ["Once", once]]) {
      if (choice && choice.refused) refusals.set(choice.refused, [...(refusals.get(choice.refused) || []), name]);
    }
    for (const [why, names] of refusals) {
      row(names.join(" and "), el("span", { class: "hint" }, "not offered: ", prose(why)));
    }
    if (session && session.also && session.also.length) {
      row("Would also have allowed", el("span", { class: "hint" }, session.also.join("; ")));
    }
    const widen = el("label", { class: "widen" }, "Scope ", this.step);
    this.scope.replaceChildren(el("dl", {}, rows), steps.length > 1 ? widen : "");
  }

  // Not ready for a second from now: it has appeared, moved or changed.
  restart() {
    if (this.closed) return;
    this.ready = false;
    this.top = this.node.getBoundingClientRect().top;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.ready = true; this.refresh(); }, READY_AFTER_MS);
    this.refresh();
  }

  // Something above grew or went: what stands under the pointer is not what stood there.
  hasMoved() {
    return Math.abs(this.node.getBoundingClientRect().top - this.top) > 2;
  }

  look() {
    for (const box of [...this.unread.keys()]) {
      if (box.clientHeight && box.scrollHeight - box.scrollTop - box.clientHeight < 4) this.unread.delete(box);
    }
    this.refresh();
  }

  get seen() {
    return this.unread.size === 0;
  }

  isOnScreen() {
    const area = this.node.getBoundingClientRect();
    const isWhole = area.top >= 0 && area.bottom <= innerHeight + 1;
    return isWhole || (area.top < innerHeight && area.bottom > 0 && area.height > innerHeight);
  }

  get isSafe() {
    const { choices, confirm, is_dangerous } = this.request;
    const { once } = choices;
    return !this.merge && !this.ways?.isOpen && !is_dangerous && !confirm && once && !once.refused;
  }

  refresh() {
    const confirmed = !this.confirm || this.confirm.value === "CONFIRM";
    const choosing = this.ways?.isOpen;
    const open = this.ready && this.seen && confirmed && !choosing && !this.closed;
    for (const button of this.buttons.values()) button.disabled = !open;
    if (this.closed) return;
    this.state.textContent = choosing ? "choose a line"
      : !this.seen ? `read the ${[...this.unread.values()].join(" and the ")} to the end first`
      : !confirmed ? "type CONFIRM to allow"
      : this.ready ? "ready" : "not ready yet";
    this.state.classList.toggle("on", open);
  }

  tick(now) {
    const left = this.request.deadline - now;
    this.left.textContent = seconds(left);
    this.bar.value = Math.max(0, left / Math.max(1, this.request.deadline - this.request.created));
    this.node.classList.toggle("soon", left < 30);
    if (this.hasMoved()) this.restart();
  }

  // The same request in another form: what was read before does not count for it.
  become(merge) {
    this.queue.swap(this, new Card(this.asked, this.queue, merge));
  }

  ask(path, more = {}) {
    return this.queue.ask(path, { request_id: this.asked.request_id, digest: this.asked.digest, ...more });
  }

  deny(reason) {
    this.reason.value = reason;
    return this.answer("deny");
  }

  async answer(kind) {
    if (this.closed || (kind !== "deny" && this.buttons.get(kind)?.disabled !== false)) return;
    if (kind !== "deny" && this.hasMoved()) return this.restart();
    const { request } = this;
    for (const button of this.node.querySelectorAll("button")) button.disabled = true;
    const problem = await this.queue.respond({
      type: "approval_response",
      request_id: request.request_id,
      digest: request.digest,
      decision: kind,
      reason: this.reason.value,
      step: this.step.value === "" ? -1 : Number(this.step.value),
      confirm: this.confirm ? this.confirm.value : "",
      seconds: this.span ? Number(this.span.value) : 0,
      ...(this.merge ? { strategy: this.merge.strategy, line: this.merge.line, merged: this.merge.merged } : {}),
    });
    if (problem) {
      this.state.textContent = problem;
      this.queue.announce(problem);
      setTimeout(() => {
        for (const button of this.node.querySelectorAll("button.deny")) button.disabled = this.closed;
        this.ways?.reopen();
        this.restart();
      }, PROBLEM_MS);
    }
  }

  retire() {
    this.closed = true;
    clearTimeout(this.timer);
    this.watcher.disconnect();
  }

  // Answered or gone: it stays for a moment, to say how it ended.
  close(text) {
    this.retire();
    for (const control of this.node.querySelectorAll("button, input, select")) control.disabled = true;
    this.node.classList.add("closed");
    this.left.textContent = text; // at the top, where it is seen
    this.state.textContent = text;
  }
}
