// The queue's rows. Only those on screen are in the page, however many wait.

import { el } from "/dom.js";
import { ago, countText, firstLine, kindOf, labelWords, nameOf, timeLeft, titleOf } from "/words.js";

const ROW = 76; // pixels, as in queue.css
const SPARE = 6; // rows above and below the screen

export class List {
  constructor(store, { chosen, mark }) {
    this.store = store;
    this.isChosen = (id) => chosen() === id;
    this.mark = mark;
    this.ids = [];
    this.rows = new Map(); // id -> what is drawn
    this.inner = el("ol", { class: "rows", "aria-label": "Requests" });
    this.node = el("div", { class: "list-scroll" }, this.inner);
    this.node.addEventListener("scroll", () => this.soon(), { passive: true });
    this.resizing = new ResizeObserver(() => this.soon());
    this.resizing.observe(this.node);
  }

  // At most once a frame.
  soon() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => { this.frame = 0; this.draw(); });
  }

  show(ids) {
    this.ids = ids;
    this.soon();
  }

  draw() {
    this.ids = this.ids.filter((id) => this.store.get(id)); // one may have gone since they were listed
    const height = this.node.clientHeight || innerHeight;
    const first = Math.max(0, Math.floor(this.node.scrollTop / ROW) - SPARE);
    const last = Math.min(this.ids.length, Math.ceil((this.node.scrollTop + height) / ROW) + SPARE);
    const wanted = new Map();
    for (let at = first; at < last; at++) wanted.set(this.ids[at], at);
    const focused = [...this.rows].find(([, row]) => row.node.contains(document.activeElement))?.[0];
    if (focused && !wanted.has(focused) && this.ids.includes(focused)) wanted.set(focused, this.ids.indexOf(focused));
    for (const [id, row] of this.rows) if (!wanted.has(id)) { row.node.remove(); this.rows.delete(id); }
    const total = `${this.ids.length * ROW}px`;
    if (this.inner.style.height !== total) this.inner.style.height = total;
    for (const [id, at] of wanted) this.place(id, at);
    this.tick();
  }

  place(id, at) {
    const request = this.store.get(id);
    let row = this.rows.get(id);
    if (row?.request !== request) {
      const made = this.made(request);
      if (row) row.node.replaceWith(made.node);
      else this.inner.append(made.node);
      this.rows.set(id, row = made);
    }
    const top = `${at * ROW}px`;
    if (row.node.style.top !== top) row.node.style.top = top;
    row.node.setAttribute("aria-setsize", this.ids.length);
    row.node.setAttribute("aria-posinset", at + 1);
    const chosen = this.isChosen(id);
    row.node.classList.toggle("chosen", chosen);
    if (chosen) row.link.setAttribute("aria-current", "true");
    else row.link.removeAttribute("aria-current");
    if (row.box) row.box.checked = this.store.marked.has(id);
  }

  made(request) {
    const id = request.request_id;
    const expired = request.state === "expired";
    const left = el("span", { class: "left" });
    const title = firstLine(titleOf(request));
    const box = expired ? null : el("input", { type: "checkbox", "aria-label": `Mark ${title.slice(0, 80)}`,
      on: { change: (event) => this.mark(id, event.target.checked) } });
    const link = el("a", { href: `#/request/${id}` },
      el("code", { translate: "no" }, title),
      el("span", { class: "meta" },
        request.is_dangerous ? el("span", { class: "tag danger" }, "dangerous") : null,
        expired ? el("span", { class: "tag" }, "expired") : null,
        request.change ? el("span", { class: "tag" }, kindOf(request)) : null,
        request.count > 1 ? el("span", { class: "tag" }, countText(request)) : null,
        request.labels.map(({ kind }) => el("span", { class: `tag label ${kind}` }, labelWords(kind))),
        el("span", { class: "who" }, `${nameOf(request.project)} · ${request.agent} ${request.session.slice(0, 8)}`)));
    const kind = `row${request.is_dangerous ? " danger" : ""}${expired ? " expired" : ""}`;
    const node = el("li", { class: kind, "data-id": id }, el("label", { class: "mark" }, box), link, left);
    return { node, link, box, left, request };
  }

  tick() {
    const now = this.store.now;
    for (const [id, { left, request, node }] of this.rows) {
      const sent = this.store.sent.get(id)?.state;
      const words = sent === "doubt" ? "in doubt" : sent ? "sending" : request.state === "expired" ? ago(now - request.ended) : timeLeft(request.deadline - now);
      if (left.textContent !== words) left.textContent = words;
      node.classList.toggle("soon", request.state !== "expired" && request.deadline - now < 30);
    }
  }

  reveal(id) {
    const at = this.ids.indexOf(id);
    if (at < 0) return;
    const top = at * ROW;
    const { scrollTop, clientHeight } = this.node;
    if (top < scrollTop) this.node.scrollTop = top;
    else if (top + ROW > scrollTop + clientHeight) this.node.scrollTop = top + ROW - clientHeight;
    this.draw();
  }
}
