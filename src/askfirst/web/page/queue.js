// The queue: one card a request. A card's buttons come alive one second after it appeared or moved, so that a click meant for
// something else answers nothing; a long command must be read to its end first.

import { el, seconds } from "/dom.js";

const ARM_MS = 1000;
const LABELS = { once: "Once", session: "Session", permanent: "Permanent" };

export class Queue {
  constructor(respond, announce) {
    this.respond = respond;
    this.announce = announce;
    this.cards = new Map();
    this.offset = 0; // the server's clock minus ours
    this.box = document.getElementById("cards");
    setInterval(() => this.tick(), 500);
    addEventListener("scroll", () => this.scrolled(), { passive: true });
    addEventListener("resize", () => this.rearm(), { passive: true });
  }

  reset(requests, now) {
    this.offset = now - Date.now() / 1000;
    const wanted = new Set(requests.map((request) => request.request_id));
    for (const id of [...this.cards.keys()]) if (!wanted.has(id)) this.remove(id);
    for (const request of requests) this.put(request);
    this.changed();
  }

  put(request) {
    const known = this.cards.get(request.request_id);
    if (known && known.request.digest === request.digest) {
      known.request = request;
      known.count.textContent = countText(request);
      return;
    }
    const card = new Card(request, this);
    if (known) known.node.replaceWith(card.node);
    else this.box.append(card.node); // always at the end: a new request never moves what somebody is reading
    this.cards.set(request.request_id, card);
    card.arm();
    if (!known) this.announce(`${request.is_dangerous ? "Dangerous request" : "Request"} from ${request.agent}: ${request.command}`);
    this.changed();
  }

  gone(message) {
    const card = this.cards.get(message.request_id);
    if (!card) return;
    const who = message.by ? ` by ${message.by}` : "";
    this.announce(`${message.state}${who}: ${message.command}`);
    card.settle(`${message.state}${who}`);
    this.cards.delete(message.request_id);
    setTimeout(() => this.drop(card), 2500);
    this.changed();
  }

  remove(id) {
    const card = this.cards.get(id);
    this.cards.delete(id);
    if (card) this.drop(card);
  }

  drop(card) {
    card.node.remove();
    this.rearm(); // what stood below has moved up under the pointer
    this.changed();
  }

  rearm() {
    for (const card of this.cards.values()) card.arm();
  }

  scrolled() {
    for (const card of this.cards.values()) card.arm();
  }

  tick() {
    const now = Date.now() / 1000 + this.offset;
    for (const card of this.cards.values()) card.tick(now);
  }

  visibleSafe() {
    return [...this.cards.values()].filter((card) => !card.request.is_dangerous && !card.request.confirm && card.isOnScreen() && card.isRead());
  }

  changed() {
    const count = this.cards.size;
    document.title = count ? `(${count}) askfirst` : "askfirst";
    const badge = document.getElementById("count");
    badge.textContent = String(count);
    badge.hidden = count === 0;
    document.getElementById("empty").hidden = count > 0;
    document.getElementById("bulk").hidden = [...this.cards.values()].filter((card) => !card.request.is_dangerous).length < 2;
    document.getElementById("bulk-count").textContent = String(this.visibleSafe().length || "");
  }
}

function countText(request) {
  return request.count > 1 ? `×${request.count}${request.agents > 1 ? ` from ${request.agents} sessions` : ""}` : "";
}

class Card {
  constructor(request, queue) {
    this.request = request;
    this.queue = queue;
    this.armed = false;
    this.settled = false;
    this.seen = false;
    this.count = el("span", { class: "times" }, countText(request));
    this.left = el("span", { class: "left", role: "timer", "aria-label": "time left" });
    this.state = el("span", { class: "armed", role: "status" });
    this.command = el("pre", { class: "command", tabindex: "0", "aria-label": "the whole command" }, ...marked(request));
    this.command.addEventListener("scroll", () => this.look(), { passive: true });
    this.reason = el("input", { type: "text", class: "reason", placeholder: "reason for a deny (goes to the agent)", "aria-label": "reason for a deny", maxlength: "500" });
    this.confirm = request.confirm
      ? el("input", { type: "text", class: "confirm", placeholder: "type CONFIRM", "aria-label": "type CONFIRM to allow", autocomplete: "off", on: { input: () => this.refresh() } })
      : null;
    this.wide = el("input", { type: "checkbox", on: { change: () => this.showScope() } });
    this.scope = el("div", { class: "scope" });
    this.buttons = new Map();
    this.node = this.build();
    this.showScope();
    new ResizeObserver(() => this.look()).observe(this.command);
  }

  build() {
    const { request } = this;
    const danger = request.is_dangerous;
    return el("article", { class: danger ? "card danger" : "card", id: `card-${request.request_id}`, tabindex: "-1", "aria-label": `${danger ? "dangerous " : ""}request from ${request.agent}` },
      el("header", {},
        el("strong", {}, danger ? "⚠ DANGEROUS" : request.change ? `${request.change} file` : "May this run?"),
        el("span", { class: "who" }, `${request.agent}${request.subagent ? ` / ${request.subagent}` : ""} · ${request.project}`),
        this.count, this.left),
      request.flagged ? el("p", { class: "flag" }, "This session is flagged for review: too many violations.") : null,
      danger && request.warning_text ? el("p", { class: "warning" }, request.warning_text) : null,
      this.command,
      request.said ? el("blockquote", {}, "the agent says: ", el("q", {}, request.said)) : null,
      el("p", { class: "why" }, request.why),
      request.deleted.length ? el("div", { class: "deleted" }, el("strong", {}, "DELETED: "), request.deleted.join(", ")) : null,
      request.diff ? diffView(request.diff) : null,
      request.lines.length ? facts(request.lines) : null,
      request.notes.map((note) => el("p", { class: "note" }, note)),
      el("p", { class: "where" }, `in ${request.cwd}, session ${request.session.slice(0, 12)}, id ${request.request_id.slice(0, 6)}`),
      this.scope,
      el("div", { class: "answers" },
        this.confirm,
        this.button("session", request.choices.session),
        this.button("permanent", request.choices.permanent),
        this.button("once", request.choices.once),
        this.timed(),
        el("button", { type: "button", class: "deny", on: { click: () => this.answer("deny") } }, "Deny"),
        this.reason),
      el("footer", {}, this.state));
  }

  button(kind, choice) {
    const refused = choice ? choice.refused : "not offered here";
    const button = el("button", { type: "button", class: kind, disabled: true, title: refused || (choice && choice.scope) || "", on: { click: () => this.answer(kind) } }, LABELS[kind]);
    if (!refused) this.buttons.set(kind, button);
    else button.append(el("span", { class: "visually-hidden" }, ` (not offered: ${refused})`));
    return button;
  }

  timed() {
    const choice = this.request.choices.timed;
    if (!choice || choice.refused) return null;
    this.span = el("select", { "aria-label": "for how long" },
      el("option", { value: "900" }, "15 min"), el("option", { value: "3600", selected: true }, "1 hour"), el("option", { value: "28800" }, "8 hours"));
    const button = el("button", { type: "button", class: "timed", disabled: true, on: { click: () => this.answer("timed") } }, "For");
    this.buttons.set("timed", button);
    return el("span", { class: "timed-group" }, button, this.span);
  }

  showScope() {
    const { session, permanent } = this.request.choices;
    const wide = this.wide.checked;
    const rows = [];
    if (session && !session.refused) rows.push(el("dt", {}, "Session covers"), el("dd", {}, (wide && session.wide_scope) || session.scope));
    if (permanent && !permanent.refused) rows.push(el("dt", {}, "Permanent stores"), el("dd", {}, el("code", {}, (wide && permanent.wide_entry) || permanent.entry), el("div", { class: "hint" }, `in ${permanent.file}`)));
    else if (permanent && permanent.refused) rows.push(el("dt", {}, "Permanent"), el("dd", { class: "hint" }, permanent.refused));
    const canWiden = [session, permanent].some((choice) => choice && !choice.refused && (choice.wide_scope || choice.wide_entry));
    this.scope.replaceChildren(el("dl", {}, rows), canWiden ? el("label", {}, this.wide, " wider: any arguments") : "");
  }

  arm() {
    if (this.settled) return;
    this.armed = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.armed = true; this.refresh(); }, ARM_MS);
    this.refresh();
  }

  look() {
    const box = this.command;
    if (box.scrollHeight - box.scrollTop - box.clientHeight < 4) this.seen = true;
    this.refresh();
  }

  isRead() {
    return this.seen;
  }

  isOnScreen() {
    const area = this.node.getBoundingClientRect();
    return area.top >= 0 && area.bottom <= innerHeight + 1 || (area.top < innerHeight && area.bottom > 0 && area.height > innerHeight);
  }

  refresh() {
    const confirmed = !this.confirm || this.confirm.value === "CONFIRM";
    const open = this.armed && this.seen && confirmed && !this.settled;
    for (const button of this.buttons.values()) button.disabled = !open;
    this.state.textContent = this.settled ? this.state.textContent
      : !this.seen ? "read the command to its end"
      : !confirmed ? "type CONFIRM to allow"
      : this.armed ? "armed" : "…";
  }

  tick(now) {
    this.left.textContent = this.settled ? "" : seconds(this.request.deadline - now);
    this.left.classList.toggle("soon", this.request.deadline - now < 30);
  }

  async answer(kind) {
    if (this.settled || (kind !== "deny" && this.buttons.get(kind)?.disabled !== false)) return;
    const { request } = this;
    for (const button of this.node.querySelectorAll("button")) button.disabled = true;
    const problem = await this.queue.respond({
      request_id: request.request_id, digest: request.digest, decision: kind, reason: this.reason.value,
      widen: this.wide.checked, confirm: this.confirm ? this.confirm.value : "", seconds: this.span ? Number(this.span.value) : 0,
    });
    if (problem) {
      this.state.textContent = problem;
      this.queue.announce(problem);
      setTimeout(() => { for (const button of this.node.querySelectorAll("button.deny")) button.disabled = this.settled; this.arm(); }, 1500);
    }
  }

  settle(text) {
    this.settled = true;
    clearTimeout(this.timer);
    for (const control of this.node.querySelectorAll("button, input, select")) control.disabled = true;
    this.node.classList.add("settled");
    this.state.textContent = text;
  }
}

// The parts that are asked for or refused are marked in the command itself.
function marked(request) {
  const text = request.command;
  const places = [];
  for (const line of request.lines) {
    if (line.decision === "allow" || !line.text) continue;
    const at = text.indexOf(line.text);
    if (at >= 0 && !places.some(([from, to]) => at < to && from < at + line.text.length)) places.push([at, at + line.text.length, line.decision]);
  }
  places.sort((a, b) => a[0] - b[0]);
  const parts = [];
  let done = 0;
  for (const [from, to, decision] of places) {
    parts.push(text.slice(done, from), el("mark", { class: decision }, text.slice(from, to)));
    done = to;
  }
  parts.push(text.slice(done));
  return parts.filter(Boolean);
}

function facts(lines) {
  const words = { run: "would run", write: "would write", read: "would read", unknown: "not understood" };
  return el("ul", { class: "facts" }, lines.map((line) =>
    el("li", { class: line.decision }, el("span", { class: "kind" }, words[line.kind] || line.kind), " ", el("code", {}, line.text), " ",
      el("span", { class: "hint" }, `${line.reason}${line.origin ? ` (${line.origin})` : ""}`))));
}

function diffView(text) {
  const kinds = { "+": "added", "-": "removed", "@": "place" };
  return el("details", { class: "diff", open: true }, el("summary", {}, "diff"),
    el("pre", {}, text.split("\n").map((line) => el("span", { class: kinds[line[0]] || "same" }, `${line}\n`))));
}
