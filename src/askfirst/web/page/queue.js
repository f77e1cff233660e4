// The queue: the list, and the card of one request. A new request comes at the end of the list, and never takes the
// place of the one that is shown.

import { Bulk } from "/bulk.js";
import { Card } from "/card.js";
import { el } from "/dom.js";
import { List } from "/list.js";
import { ending, when } from "/words.js";

const NARROW = matchMedia("(max-width: 760px)");
const TICK_MS = 1000;

// Whether a person who has read one has read the other: a count or a time may differ, nothing else.
function readsLike(one, other) {
  return withoutCounts(one) === withoutCounts(other);
}

function withoutCounts({ count, agents, created, deadline, timeout_seconds, ...rest }) {
  return JSON.stringify(rest);
}

export class Queue {
  constructor(store, link, announce) {
    Object.assign(this, { store, link, announce });
    this.current = ""; // the request whose card is shown
    this.filter = "";
    this.card = null;
    this.list = new List(store, { chosen: () => this.current, mark: (id, on) => store.mark(id, on) });
    this.bulk = new Bulk(store, announce);
    this.search = el("input", { type: "search", placeholder: "Filter", "aria-label": "Filter the queue", on: { input: () => { this.filter = this.search.value.toLowerCase(); this.refresh(); } } });
    this.all = el("input", { type: "checkbox", "aria-label": "Mark all shown", on: { change: () => this.markAll(this.all.checked) } });
    this.heading = el("h2", { class: "list-title" }, "Queue");
    this.pane = el("div", { class: "pane" });
    this.empty = el("div", { class: "empty" }, el("img", { src: "/icon.svg", alt: "", width: "56", height: "56" }),
      el("h2", {}, "Nothing waits"),
      el("p", {}, "When an agent wants to do something that no rule decides, it appears here, and the agent waits for your answer."));
    this.noMatch = el("div", { class: "empty" }, el("h2", {}, "Nothing matches"), el("p", {}, "Other requests wait: clear the filter to see them."));
    this.node = el("div", { class: "queue" },
      el("h1", { class: "visually-hidden" }, "What agents ask"),
      el("div", { class: "list" },
        el("div", { class: "list-head" }, this.heading, el("label", { class: "mark" }, this.all), this.search),
        this.list.node, this.bulk.node),
      this.pane, this.bulk.dialog);
    store.addEventListener("changed", ({ detail }) => this.changed(detail.ids));
    store.addEventListener("marks", () => this.refresh());
    store.addEventListener("ended", ({ detail }) => this.ended(detail));
    store.addEventListener("settled", ({ detail }) => announce(detail.text, detail.state === "waits"));
    addEventListener("resize", () => this.card?.restart(), { passive: true });
    NARROW.addEventListener("change", () => this.route(this.routed));
    document.addEventListener("visibilitychange", () => { this.beat(); if (!document.hidden) { this.tick(); this.card?.restart(); } });
    this.beat();
  }

  // One timer for the whole page, and none while nobody looks.
  beat() {
    clearInterval(this.timer);
    if (!document.hidden) this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  tick() {
    if (!this.node.isConnected) return;
    this.list.tick();
    this.card?.tick(this.store.now);
  }

  shown() {
    if (!this.filter) return this.store.ids();
    const words = (request) => `${request.command} ${request.project} ${request.agent} ${request.session}`.toLowerCase();
    return this.store.ids().filter((id) => words(this.store.get(id)).includes(this.filter));
  }

  // An address: of the queue, or of one request.
  route(id) {
    this.routed = id;
    this.node.classList.toggle("one", Boolean(id));
    if (id) this.choose(id);
    else if (NARROW.matches) this.choose("");
    else this.choose(this.store.requests.has(this.current) ? this.current : this.shown()[0] || "");
    this.refresh();
  }

  choose(id, { anew = false } = {}) {
    if (!anew && id === this.current && this.card?.asked.request_id === id) return;
    this.current = id;
    const request = this.store.get(id);
    if (request) {
      this.show(new Card(request, this));
      this.list.reveal(id);
    } else {
      this.close();
      if (id && this.store.status.state === "live") this.lookUp(id);
      else this.pane.replaceChildren(NARROW.matches && !id ? "" : this.empty);
    }
  }

  close() {
    this.card?.close();
    this.card = null;
  }

  show(card) {
    const had = this.card?.node.contains(document.activeElement);
    const typed = this.card?.asked.request_id === card.asked.request_id ? this.card.reason?.value : "";
    this.close();
    this.card = card;
    if (typed && card.reason) card.reason.value = typed;
    this.pane.replaceChildren(card.node);
    this.pane.scrollTop = 0;
    if (had) card.node.focus({ preventScroll: true });
    card.tick(this.store.now);
    card.restart();
  }

  moved() {
    this.card?.restart();
  }

  // A request that waits no more: what is known of it.
  async lookUp(id) {
    const found = await this.link.get("/api/request", { id });
    if (this.current !== id || this.card) return;
    if (!found.ok) return this.pane.replaceChildren(el("div", { class: "empty" }, el("h2", {}, "Not found"), el("p", {}, found.error)));
    const title = found.card?.command || found.records[0]?.text || id;
    this.pane.replaceChildren(el("article", { class: "card story", tabindex: "-1" }, el("div", { class: "card-body" },
      el("header", { class: "card-head" }, el("a", { class: "back", href: "#/", "aria-label": "Back to the queue" }, "‹"), el("span", { class: "badge" }, found.said || "From the log")),
      el("h2", { class: "command", translate: "no" }, title),
      el("ol", { class: "timeline" }, found.records.map((record) => el("li", {},
        el("span", { class: "hint" }, when(record.time)), el("strong", {}, record.outcome), " ", record.by ? `by ${record.by}` : "", record.reason ? el("div", { class: "hint" }, record.reason) : null))))));
  }

  changed(ids) {
    if (this.card && (ids === null || ids.includes(this.current))) this.follow();
    else if (!this.card && this.current && (ids === null || this.store.get(this.current))) this.again();
    this.refresh();
  }

  // The card that is shown has changed, or is gone.
  follow() {
    const request = this.store.get(this.current);
    const { asked } = this.card;
    if (!request || (request.state === "expired") !== this.card.isExpired) return this.next(request);
    if (readsLike(asked, request)) {
      this.card.asked = request;
      if (!this.card.merge) this.card.request = request;
      return this.card.refresh();
    }
    return this.again();
  }

  again() {
    this.choose(this.current, { anew: true });
  }

  // What stood behind it in the list is next; an expired one stays where somebody looks at it.
  next(expired) {
    if (expired) return this.again();
    const rest = this.shown().filter((id) => this.store.requests.has(id));
    const after = this.list.ids.slice(this.list.ids.indexOf(this.current) + 1).find((id) => rest.includes(id));
    const id = after || rest[rest.length - 1] || "";
    if (this.routed && NARROW.matches) location.hash = "#/";
    else if (this.routed) history.replaceState(null, "", id ? `#/request/${id}` : "#/");
    if (this.routed) this.routed = NARROW.matches ? "" : id;
    this.node.classList.toggle("one", Boolean(this.routed));
    this.choose(NARROW.matches ? "" : id);
    return undefined;
  }

  refresh() {
    const ids = this.shown();
    this.list.show(ids);
    const waiting = this.store.requests.size;
    const words = waiting ? `Queue (${waiting})` : "Queue";
    if (this.heading.textContent !== words) this.heading.textContent = words;
    this.node.classList.toggle("none", ids.length === 0 && !this.filter);
    const markable = ids.filter((id) => this.store.requests.has(id));
    this.all.disabled = markable.length === 0;
    this.all.checked = markable.length > 0 && markable.every((id) => this.store.marked.has(id));
    if (!this.card && !this.routed) this.fill(ids);
  }

  // Somebody looks at the queue, and no card is shown: the first one is, where there is room beside the list.
  fill(ids) {
    if (ids.length && !NARROW.matches) this.choose(ids[0]);
    else this.pane.replaceChildren(this.filter && this.store.ids().length ? this.noMatch : this.empty);
  }

  // Exactly those that are listed now: what comes later is not marked.
  markAll(on) {
    for (const id of this.shown()) if (this.store.requests.has(id)) { if (on) this.store.marked.add(id); else this.store.marked.delete(id); }
    this.store.say("marks");
  }

  ended(message) {
    this.announce(`${ending(message)}: ${message.command.split("\n", 1)[0].slice(0, 120)}`, false, message.request_id);
  }

  move(by) {
    const ids = this.shown();
    if (!ids.length) return;
    const at = Math.min(Math.max(ids.indexOf(this.current) + by, 0), ids.length - 1);
    history.replaceState(null, "", `#/request/${ids[at]}`);
    this.route(ids[at]);
    this.card?.node.focus({ preventScroll: true });
  }

  key(key) {
    if (key === "j" || key === "n" || key === "arrowdown") this.move(1);
    else if (key === "k" || key === "arrowup") this.move(-1);
    else if (key === "x" && this.store.requests.has(this.current)) this.store.mark(this.current, !this.store.marked.has(this.current));
    else if (key === "/") this.search.focus();
    else if (key === "escape") this.back();
    else if (!this.card) return false;
    else if (key === "r" && this.card.reason) this.card.reason.focus();
    else if (key === "m" && this.card.ways) this.card.ways.focus();
    else if (key === "w" && this.card.request.steps.length > 1) this.widen();
    else if (key === "c" && this.card.confirm) this.card.confirm.focus();
    else if ("spod".includes(key)) this.card.answer({ s: "session", p: "permanent", o: "once", d: "deny" }[key]);
    else return false;
    return true;
  }

  widen() {
    const { card } = this;
    card.chosen = (card.chosen + 1) % card.request.steps.length;
    card.showScope();
    card.restart();
  }

  back() {
    if (this.routed) location.hash = "#/";
    else if (this.store.marked.size) this.bulk.clear();
  }
}
