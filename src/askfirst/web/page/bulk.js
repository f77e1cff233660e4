// Answering what was marked, and nothing else: the requests are captured when the answer is chosen, all of what they
// would do is shown, and what is left out is said.

import { button, el, prose } from "/dom.js";
import { plural, titleOf } from "/words.js";

const READY_AFTER_MS = 1000;
const AT_ONCE = 100; // requests in one call
const WORDS = { session: "Allow for session", permanent: "Allow always", once: "Allow once", deny: "Deny" };

export class Bulk {
  constructor(store, announce) {
    this.store = store;
    this.announce = announce;
    this.count = el("strong", {});
    this.node = el("div", { class: "bulk", role: "region", "aria-label": "Marked requests", hidden: true },
      this.count,
      Object.entries(WORDS).map(([kind, words]) => button(words, () => this.review(kind), { class: kind })),
      button("Unmark", () => this.clear(), { class: "quiet" }));
    this.dialog = el("dialog", { class: "review", "aria-labelledby": "review-title" });
    store.addEventListener("marks", () => this.refresh());
    store.addEventListener("changed", () => this.refresh());
  }

  refresh() {
    const marked = this.store.marked.size;
    if (this.node.hidden !== (marked === 0)) this.node.hidden = marked === 0;
    const words = `${marked} marked`;
    if (this.count.textContent !== words) this.count.textContent = words;
  }

  clear() {
    this.store.marked.clear();
    this.store.say("marks");
  }

  // Why a request takes no part in this answer; "" when it does.
  refusal(request, kind) {
    if (kind === "deny") return "";
    if (request.is_dangerous || request.confirm) return "dangerous: answer it on its own";
    if (request.diff) return "a file's change is read on its own";
    return request.choices[kind] ? request.choices[kind].refused : "not offered";
  }

  async review(kind) {
    const captured = [...this.store.marked].map((id) => this.store.requests.get(id)).filter(Boolean);
    const taken = captured.filter((request) => !this.refusal(request, kind));
    const left = captured.filter((request) => this.refusal(request, kind));
    const end = el("span", { class: "end" });
    const yes = button(`${WORDS[kind]}: ${plural(taken.length, "request")}`, () => this.send(kind, taken), { class: `primary ${kind}`, disabled: true });
    const reason = kind === "deny" ? el("input", { type: "text", class: "reason", maxlength: "500", "aria-label": "Reason for denying", placeholder: "Reason for the agents (optional)" }) : null;
    this.reason = reason;
    const status = el("span", { class: "hint", role: "status" }, "Read the list to its end");
    this.dialog.replaceChildren(
      el("h2", { id: "review-title" }, `${WORDS[kind]}: ${plural(taken.length, "request")}`),
      left.length ? el("div", { class: "note" }, `Left out: ${plural(left.length, "request")}`,
        el("ul", {}, left.map((request) => el("li", {}, el("code", {}, titleOf(request).slice(0, 120)), ` (${this.refusal(request, kind)})`)))) : "",
      el("div", { class: "review-list", tabindex: "0", role: "region", "aria-label": "What is answered" },
        el("ol", {}, taken.map((request) => this.item(request, kind))), end),
      reason || "",
      el("div", { class: "row" }, yes, button("Back", () => this.dialog.close(), { class: "quiet" }), status));
    this.dialog.showModal();
    if (!taken.length) return;
    const waiting = new Promise((done) => setTimeout(done, READY_AFTER_MS));
    const read = new Promise((done) => {
      const eyes = new IntersectionObserver(([entry]) => { if (entry.isIntersecting) { eyes.disconnect(); done(); } });
      eyes.observe(end);
    });
    await Promise.all([waiting, read]);
    yes.disabled = false;
    status.textContent = "Ready";
  }

  item(request, kind) {
    const scope = kind === "deny" || kind === "once" ? "" : request.choices[kind].scope;
    return el("li", {}, el("pre", { translate: "no" }, titleOf(request)),
      scope ? el("p", { class: "hint" }, prose(scope)) : null);
  }

  async send(kind, taken) {
    const reason = this.reason?.value || "";
    this.dialog.close();
    const items = taken.map(({ request_id, digest, step }) => ({ request_id, digest, step }));
    let answered = 0;
    const left = [];
    for (let at = 0; at < items.length; at += AT_ONCE) {
      const some = items.slice(at, at + AT_ONCE);
      const ids = some.map(({ request_id }) => request_id);
      const { problem, doubt, result } = await this.store.answer(ids, "/api/respond-many", { decision: kind, reason, items: some });
      if (problem) return this.announce(problem, true);
      if (doubt) return this.announce("In doubt: the server has not said yet what became of your answers", true);
      for (const id of ids) this.store.marked.delete(id);
      answered += result.answered.length;
      left.push(...result.left);
    }
    this.store.say("marks");
    const settled = left.filter((item) => item.settled).length;
    const failed = left.filter((item) => !item.settled);
    const parts = [`${WORDS[kind]}: ${plural(answered, "request")}`];
    if (settled) parts.push(`${settled} settled by these answers`);
    if (failed.length) parts.push(`${failed.length} not answered: ${failed[0].why}`);
    return this.announce(parts.join(" · "), failed.length > 0);
  }
}
