// The queue: a card for each request, and on wide screens a list beside them. A new request comes at the end, so that
// it never moves what somebody is reading.

import { Card, countText, ending } from "/card.js";
import { el, nameOf, seconds } from "/dom.js";

const SHOWN_MS = 2500; // how long an answered card stays, to say who answered

// Whether a person who has read one has read the other: a count or a time may differ, nothing else.
function readsLike(one, other) {
  return withoutCounts(one) === withoutCounts(other);
}

function withoutCounts({ count, agents, created, deadline, timeout_seconds, ...rest }) {
  return JSON.stringify(rest);
}

export class Queue {
  constructor(respond, ask, announce) {
    this.respond = respond;
    this.ask = ask;
    this.announce = announce;
    this.cards = new Map();
    this.offset = 0; // the server's clock minus ours
    this.box = document.getElementById("cards");
    this.index = document.getElementById("index");
    setInterval(() => this.tick(), 500);
    addEventListener("scroll", () => this.restart(), { passive: true });
    addEventListener("resize", () => this.restart(), { passive: true });
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
    if (known && readsLike(known.asked, request)) {
      known.asked = request;
      known.count.textContent = countText(request);
      return;
    }
    const card = new Card(request, this);
    if (known) return this.swap(known, card);
    this.box.append(card.node);
    this.cards.set(request.request_id, card);
    this.list(card);
    card.restart();
    const what = request.is_dangerous ? "Dangerous request" : "Request";
    this.announce(`${what} from ${request.agent}: ${request.command}`);
    this.changed();
  }

  // The same request, shown in another way: merged, or its session was flagged meanwhile.
  swap(known, card) {
    if (known.closed) return;
    const focused = known.node.contains(document.activeElement);
    card.reason.value = known.reason.value;
    known.retire();
    known.node.replaceWith(card.node);
    this.cards.set(card.asked.request_id, card);
    this.list(card, known.entry);
    if (focused) card.node.focus({ preventScroll: true });
    card.restart();
    this.changed();
  }

  list(card, instead = null) {
    const { request } = card;
    card.listed = el("span", { class: "left" });
    const kind = request.is_dangerous ? "danger" : null;
    card.entry = el("li", {}, el("button", { type: "button", class: kind, on: { click: () => this.focus(card) } },
      el("code", {}, request.command.slice(0, 80)),
      el("span", { class: "hint" }, `${nameOf(request.project)} · ${request.agent}`),
      card.listed));
    if (instead) instead.replaceWith(card.entry);
    else this.index.append(card.entry);
  }

  focus(card) {
    card.node.scrollIntoView({ block: "start" });
    card.node.focus({ preventScroll: true });
  }

  gone(message) {
    const card = this.cards.get(message.request_id);
    if (!card) return;
    this.announce(`${ending(message)}: ${message.command}`);
    card.close(ending(message));
    this.cards.delete(message.request_id);
    card.entry.remove();
    setTimeout(() => this.drop(card), SHOWN_MS);
    this.changed();
  }

  remove(id) {
    const card = this.cards.get(id);
    this.cards.delete(id);
    if (!card) return;
    card.close("");
    card.entry.remove();
    this.drop(card);
  }

  drop(card) {
    const hasFocus = card.node.contains(document.activeElement);
    const next = hasFocus ? card.node.nextElementSibling || card.node.previousElementSibling : null;
    card.node.remove();
    next?.focus({ preventScroll: true });
    this.restart(); // what stood below has moved up under the pointer
    this.changed();
  }

  restart() {
    for (const card of this.cards.values()) card.restart();
  }

  tick() {
    const now = Date.now() / 1000 + this.offset;
    for (const card of this.cards.values()) {
      card.tick(now);
      card.listed.textContent = seconds(card.request.deadline - now);
    }
    this.count();
  }

  // What "allow all on screen" would answer: wholly on the screen, read, not dangerous.
  onScreen() {
    return [...this.cards.values()].filter((card) => card.isSafe && card.seen && card.isOnScreen());
  }

  count() {
    const ready = this.onScreen().filter((card) => card.ready).length;
    document.getElementById("bulk").hidden = [...this.cards.values()].filter((card) => card.isSafe).length < 2;
    document.getElementById("bulk-count").textContent = String(ready);
    document.getElementById("approve-all").disabled = ready === 0;
  }

  changed() {
    const count = this.cards.size;
    document.title = count ? `(${count}) askfirst` : "askfirst";
    const badge = document.getElementById("count");
    badge.textContent = String(count);
    badge.hidden = count === 0;
    document.getElementById("empty").hidden = count > 0 || this.box.childElementCount > 0;
    document.getElementById("queue").classList.toggle("several", count > 1);
    this.count();
  }
}
