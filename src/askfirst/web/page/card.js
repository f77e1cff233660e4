// One request. Its buttons work one second after it appeared, moved or changed, so that a click meant for something else
// answers nothing; what is long must be seen to its end first; danger wants CONFIRM typed in full.

import { button, el, icon, prose } from "/dom.js";
import { Diff } from "/diff.js";
import { deletions, facts, marked } from "/facts.js";
import { Ways } from "/merge.js";
import { ago, countText, kindOf, labelWords, nameOf, timeLeft, titleOf } from "/words.js";

const READY_AFTER_MS = 1000;
const MAX_REASON_CHARS = 500;
const ANSWERS = { session: "Allow for session", once: "Allow once", permanent: "Allow always" };
const KEYS = { session: "S", permanent: "P", once: "O", deny: "D" };
const SPANS = [["900", "15 min"], ["3600", "1 hour"], ["28800", "8 hours"]];
const FLAGGED = "This session is flagged for review: it was denied often in a short time. You can allow each call only once.";

export class Card {
  // `merge`: how a person wants the file written instead, with the card and the diff that show it.
  constructor(asked, around, merge = null) {
    this.asked = asked;
    this.merge = merge;
    this.request = merge ? merge.card : asked;
    this.around = around;
    this.isExpired = asked.state === "expired";
    this.ready = this.closed = false;
    this.chosen = asked.step;
    this.unread = new Map();
    this.buttons = new Map();
    this.left = el("span", { class: "left", role: "timer", "aria-label": "time left" });
    this.status = el("p", { class: "status", role: "status" });
    this.scope = el("section", { class: "scope", "aria-label": "What each answer remembers" });
    this.diffBox = el("div", {});
    this.ways = asked.strategies.length && !this.isExpired ? new Ways(this) : null;
    this.actions = el("div", { class: "actions" });
    this.node = this.build();
    this.showScope();
    this.body.addEventListener("scroll", () => this.look(), { passive: true });
    this.fillDiff();
  }

  // Its end must have been on screen.
  mustBeSeen(what) {
    const end = el("span", { class: "end" });
    this.unread.set(end, what);
    return end;
  }

  build() {
    const { request, asked } = this;
    const title = `title-${asked.request_id}`;
    const danger = request.is_dangerous;
    return el("article", { class: `card${danger ? " danger" : ""}`, id: `card-${asked.request_id}`, tabindex: "-1", "aria-labelledby": title },
      this.body = el("div", { class: "card-body" },
        this.head(),
        el("h2", { id: title, class: "command", translate: "no" }, marked(request, titleOf(request)), this.mustBeSeen("command")),
        request.said ? el("p", { class: "said" }, "The agent says: ", el("q", {}, request.said)) : null,
        request.flagged ? el("p", { class: "warning flag" }, `⚑ ${FLAGGED}`) : null,
        danger && request.warning_text ? el("p", { class: "warning" }, el("strong", {}, "Dangerous: "), request.warning_text) : null,
        this.reasons(),
        deletions(request.deleted),
        this.ways?.node,
        this.diffBox,
        request.notes.map((note) => el("p", { class: "note" }, prose(note))),
        this.isExpired ? null : this.scope,
        this.details()),
      this.answers());
  }

  head() {
    const { request, asked } = this;
    const subagent = request.subagent ? ` / ${request.subagent}` : "";
    return el("header", { class: "card-head" },
      el("a", { class: "back", href: "#/", "aria-label": "Back to the queue" }, icon("back")),
      el("span", { class: "badge" }, request.is_dangerous ? "⚠ Dangerous" : kindOf(request)),
      el("span", { class: "chip project", title: request.project }, nameOf(request.project)),
      el("span", { class: "chip" }, `${request.agent}${subagent}`),
      el("a", { class: "chip", href: `#/session/${encodeURIComponent(request.session)}`, title: "What this session did so far" }, `session ${request.session.slice(0, 8)}`),
      asked.labels.map(({ kind, why }) => el("span", { class: `chip label ${kind}`, title: why }, labelWords(kind))),
      request.count > 1 ? el("span", { class: "chip times" }, countText(request)) : null,
      this.left);
  }

  // The facts say why. The sentence above them stays only where it says something else.
  reasons() {
    const { why, lines, change } = this.request;
    const title = el("h3", {}, "Why it asks");
    if (change || !lines.length) return el("section", { class: "why" }, title, el("p", {}, prose(why)));
    const said = lines.some((line) => line.decision !== "allow" && why.startsWith(line.reason));
    return el("section", { class: "why" }, title, said ? null : el("p", {}, prose(why)), facts(lines));
  }

  details() {
    const { request, asked } = this;
    const address = `${location.origin}/#/request/${asked.request_id}`;
    return el("p", { class: "where hint" }, `In ${request.cwd} · `,
      el("a", { href: `#/request/${asked.request_id}`, title: address }, `request ${asked.request_id.slice(0, 6)}`));
  }

  async fillDiff() {
    const { request, asked } = this;
    if (!request.diff) return;
    const end = this.mustBeSeen("diff");
    let rows = this.merge?.rows;
    if (!rows) {
      this.diffBox.replaceChildren(el("p", { class: "hint" }, "Loading the diff…"));
      const found = await this.around.link.get("/api/diff", { request_id: asked.request_id });
      if (!found.ok) {
        const again = button("Try again", () => { this.unread.delete(end); this.fillDiff(); });
        this.diffBox.replaceChildren(el("p", { class: "problem" }, `${found.error} `, again));
        return;
      }
      rows = found.rows;
    }
    if (this.closed) return;
    this.diff = new Diff(rows, { name: titleOf(request), onWhole: () => this.diffBox.append(end) });
    this.diffBox.replaceChildren(this.diff.node);
    if (this.diff.isWhole) this.diffBox.append(end);
    this.around.moved();
  }

  answers() {
    const { request } = this;
    if (this.isExpired) return this.afterwards();
    this.confirm = !request.confirm ? null : this.confirmBox();
    this.reason = el("input", { type: "text", class: "reason", placeholder: "Reason for the agent (optional)",
      "aria-label": "Reason for denying", maxlength: String(MAX_REASON_CHARS), on: { keydown: (event) => this.typed(event) } });
    const first = Object.keys(ANSWERS).find((kind) => this.isOffered(kind));
    const deny = button([el("span", {}, "Deny"), el("kbd", { "aria-hidden": "true" }, KEYS.deny)], () => this.answer("deny"),
      { class: "deny", "aria-keyshortcuts": "d", disabled: true });
    this.buttons.set("deny", deny);
    this.actions.replaceChildren(
      this.status,
      this.confirm || "",
      el("div", { class: "row" },
        Object.keys(ANSWERS).map((kind) => this.choice(kind, kind === first)), this.timed(),
        el("span", { class: "denying" }, deny, this.reason)));
    return this.actions;
  }

  confirmBox() {
    return el("input", { type: "text", class: "confirm", placeholder: "CONFIRM", "aria-label": "Type CONFIRM to allow",
      autocomplete: "off", spellcheck: "false", autocapitalize: "characters", on: { input: () => this.refresh() } });
  }

  typed(event) {
    if (event.key === "Enter" && !event.isComposing) this.answer("deny");
    if (event.key === "Escape") { event.stopPropagation(); this.node.focus(); }
  }

  // What each answer means: at the width that is chosen, or at each that can be chosen.
  get choices() {
    return this.request.steps?.[this.chosen] || this.request.choices;
  }

  isOffered(kind, choices = this.choices) {
    return Boolean(choices[kind]) && !choices[kind].refused;
  }

  isOfferedAtAll(kind) {
    return [this.choices, ...(this.request.steps || [])].some((choices) => this.isOffered(kind, choices));
  }

  choice(kind, isFirst) {
    if (!this.isOfferedAtAll(kind)) return null;
    const made = button([el("span", {}, ANSWERS[kind]), el("kbd", { "aria-hidden": "true" }, KEYS[kind])], () => this.answer(kind),
      { class: `${kind}${isFirst ? " primary" : ""}`, disabled: true, "aria-keyshortcuts": KEYS[kind].toLowerCase() });
    this.buttons.set(kind, made);
    return made;
  }

  timed() {
    if (!this.isOfferedAtAll("timed")) return null;
    this.span = el("select", { "aria-label": "For how long" },
      SPANS.map(([value, words]) => el("option", { value, selected: value === "3600" }, words)));
    const made = button("Allow for", () => this.answer("timed"), { class: "timed", disabled: true });
    this.buttons.set("timed", made);
    return el("span", { class: "timed-group" }, made, this.span);
  }

  // Its time is over and the agent has moved on: what can still be done.
  afterwards() {
    const { asked } = this;
    this.confirm = asked.confirm && !asked.next_try_refused ? this.confirmBox() : null;
    const dismiss = button("Dismiss", () => this.around.link.post("/api/dismiss", { request_id: asked.request_id }), { class: "dismiss" });
    const next = asked.next_try_refused ? null
      : button("Allow the next try", () => this.nextTry(), { class: "next-try primary", disabled: true });
    if (next) this.buttons.set("next-try", next);
    const words = asked.next_try_refused || "Nobody answered in time. The agent's next try of exactly this, within ten minutes, can be allowed once.";
    this.actions.replaceChildren(
      el("p", { class: "hint" }, prose(words)),
      this.status,
      this.confirm || "",
      el("div", { class: "row" }, next, dismiss));
    return this.actions;
  }

  async nextTry() {
    if (!this.isOpen("next-try")) return;
    const { asked } = this;
    const body = { request_id: asked.request_id, digest: asked.digest, confirm: this.confirm?.value || "" };
    const result = await this.around.link.post("/api/next-try", body);
    this.around.announce(result.ok ? "The agent's next try is allowed once" : result.error, !result.ok);
  }

  // What each answer would remember, before it is given.
  showScope() {
    const steps = this.request.steps || [];
    const { session, permanent, once } = this.choices;
    const rows = [];
    const row = (name, ...what) => rows.push(el("div", {}, el("dt", {}, name), el("dd", {}, what)));
    if (session && !session.refused) row("Session covers", prose(session.scope));
    if (permanent && !permanent.refused) {
      row("Always adds", el("pre", { class: "entry" }, permanent.entry), el("div", { class: "hint" }, `to ${permanent.file}`));
    }
    if (session?.also?.length) row("Would also have allowed", el("span", { class: "hint" }, session.also.join("; ")));
    const refusals = new Map();
    for (const [name, choice] of [["Session", session], ["Always", permanent], ["Once", once]]) {
      if (choice?.refused) refusals.set(choice.refused, [...(refusals.get(choice.refused) || []), name]);
    }
    for (const [why, names] of refusals) row(names.join(", "), el("span", { class: "hint" }, "not offered: ", prose(why)));
    this.scope.hidden = !rows.length;
    this.scope.replaceChildren(el("h3", {}, "What is remembered"), steps.length > 1 ? this.widths(steps) : "", el("dl", {}, rows));
  }

  widths(steps) {
    const words = (step) => step.session?.scope || step.timed?.scope || step.permanent?.scope || "this one call";
    return el("fieldset", { class: "widths" }, el("legend", {}, "How much"),
      steps.map((step, at) => el("label", {},
        el("input", { type: "radio", name: `step-${this.asked.request_id}`, value: String(at), checked: at === this.chosen,
          on: { change: () => { this.chosen = at; this.showScope(); this.focusWidth(); this.restart(); } } }),
        el("span", {}, prose(words(step))))));
  }

  focusWidth() {
    this.scope.querySelector("input:checked")?.focus();
  }

  // Not ready for a second from now: it has appeared, moved or changed.
  restart() {
    if (this.closed) return;
    this.ready = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.ready = true; this.top = this.place(); this.look(); }, READY_AFTER_MS);
    this.refresh();
  }

  place() {
    return this.actions.getBoundingClientRect().top;
  }

  // Something above grew or went: what stands under the pointer is not what stood there.
  hasMoved() {
    return Math.abs(this.place() - this.top) > 2;
  }

  look() {
    if (this.unread.size) {
      const bottom = this.body.getBoundingClientRect().bottom;
      for (const end of [...this.unread.keys()]) {
        if (end.isConnected && end.getBoundingClientRect().top <= bottom) this.unread.delete(end);
      }
    }
    this.refresh();
  }

  get seen() {
    return this.unread.size === 0;
  }

  refresh() {
    const sent = this.around.store.sent.get(this.asked.request_id)?.state;
    const confirmed = !this.confirm || this.confirm.value === "CONFIRM";
    const choosing = this.ways?.isOpen;
    const mayAllow = this.ready && this.seen && confirmed && !choosing && !this.closed && !sent;
    for (const [kind, made] of this.buttons) {
      made.disabled = kind === "deny" ? !this.ready || this.closed || Boolean(sent) : !mayAllow;
      made.hidden = kind in ANSWERS && !this.isOffered(kind);
    }
    if (this.closed) return;
    this.status.classList.toggle("on", mayAllow);
    this.status.classList.toggle("doubt", sent === "doubt");
    const words = sent === "doubt" ? "In doubt: your answer was sent, and the server has not said yet what became of it"
      : sent ? "Sending…"
      : choosing ? "Choose a line"
      : !this.seen ? `Read the ${[...new Set(this.unread.values())].join(" and the ")} to the end first`
      : !confirmed ? "Type CONFIRM in full to allow this"
      : this.ready ? "Ready" : "Not ready yet";
    if (this.status.textContent !== words) this.status.textContent = words;
  }

  tick(now) {
    const words = this.isExpired ? `expired ${ago(now - this.asked.ended)}` : timeLeft(this.request.deadline - now);
    if (this.left.textContent !== words) this.left.textContent = words;
    this.node.classList.toggle("soon", !this.isExpired && this.request.deadline - now < 30);
  }

  // The same request in another form: what was read before does not count for it.
  become(merge) {
    this.around.show(new Card(this.asked, this.around, merge));
  }

  ask(path, more = {}) {
    return this.around.link.post(path, { request_id: this.asked.request_id, digest: this.asked.digest, ...more });
  }

  isOpen(kind) {
    const made = this.buttons.get(kind);
    if (this.closed || made?.disabled !== false || made.hidden) return false;
    if (!this.hasMoved()) return true;
    this.restart();
    return false;
  }

  async answer(kind) {
    if (!this.isOpen(kind)) return;
    const { asked, merge } = this;
    const { problem } = await this.around.store.answer([asked.request_id], "/api/respond", {
      type: "approval_response",
      request_id: asked.request_id,
      digest: asked.digest,
      decision: kind,
      reason: kind === "deny" ? this.reason.value : "",
      step: asked.steps.length ? this.chosen : -1,
      confirm: this.confirm ? this.confirm.value : "",
      seconds: this.span ? Number(this.span.value) : 0,
      ...(merge ? { strategy: merge.strategy, line: merge.line, merged: merge.merged } : {}),
    });
    if (problem) {
      this.around.announce(problem, true);
      this.restart();
    }
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.diff?.close();
  }
}
