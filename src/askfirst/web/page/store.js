// What this tab knows: the requests that wait, those that expired, what is marked, and answers that are in doubt.


const AGAIN_MS = 3000; // between two questions what became of an answer

export class Store extends EventTarget {
  constructor(link) {
    super();
    this.link = link;
    this.requests = new Map(); // oldest first
    this.expired = new Map();
    this.around = { alerts: [], paused: "", team: false };
    this.status = { state: "connecting", text: "" };
    this.marked = new Set();
    this.sent = new Map(); // id -> { state: "sending" | "doubt", key }
    this.offset = 0;
    link.addEventListener("status", ({ detail }) => { this.status = detail; this.say("status"); });
    link.addEventListener("whole", ({ detail }) => this.reset(detail));
    link.addEventListener("message", ({ detail }) => this.take(detail.message));
  }

  say(what, detail = {}) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }

  get now() {
    return Date.now() / 1000 + this.offset;
  }

  get(id) {
    return this.requests.get(id) || this.expired.get(id);
  }

  ids() {
    return [...this.requests.keys(), ...this.expired.keys()];
  }

  reset({ requests, expired, around, offset }) {
    this.requests = new Map(requests.map((request) => [request.request_id, request]));
    this.expired = new Map(expired.map((request) => [request.request_id, request]));
    this.around = around;
    this.offset = offset;
    this.forgetMarks();
    this.say("around");
    this.say("changed", { ids: null });
  }

  take(message) {
    const id = message.request_id;
    if (message.type === "approval_request") {
      this.requests.set(id, message);
      this.say("changed", { ids: [id] });
      this.say("asked", message);
    } else if (message.type === "approval_response") {
      this.requests.delete(id);
      this.sent.delete(id);
      if (message.expired) this.expired.set(id, message.expired);
      this.forgetMarks();
      this.say("ended", message);
      this.say("changed", { ids: [id] });
    } else if (message.type === "dismissed") {
      this.expired.delete(id);
      this.say("changed", { ids: [id] });
    } else if (message.type === "around") {
      this.around = { ...this.around, alerts: message.alerts, paused: message.paused };
      this.say("around");
    }
  }

  forgetMarks() {
    for (const id of this.marked) if (!this.requests.has(id)) this.marked.delete(id);
  }

  mark(id, on) {
    if (on) this.marked.add(id);
    else this.marked.delete(id);
    this.say("marks");
  }

  // What became of an answer: `problem` is why it did not count. In doubt until the server has said what happened.
  async answer(ids, path, body) {
    const key = crypto.getRandomValues(new Uint32Array(4)).join("-");
    const note = (state) => {
      for (const id of ids) if (state) this.sent.set(id, { state, key }); else this.sent.delete(id);
      this.say("changed", { ids });
    };
    note("sending");
    const result = await this.link.post(path, { ...body, key });
    note(result.lost ? "doubt" : "");
    if (result.lost) for (const id of ids) this.settle(id);
    return { problem: result.ok || result.lost ? "" : result.error, doubt: Boolean(result.lost), result };
  }

  // Asked until it is answered: an answer that had not arrived by then does not count any more, whenever it comes.
  async settle(id) {
    for (;;) {
      const sent = this.sent.get(id);
      if (sent?.state !== "doubt") return;
      const { ok, state, said } = await this.link.post("/api/outcome", { request_id: id, key: sent.key });
      if (this.sent.get(id) !== sent) return;
      if (ok) {
        this.sent.delete(id);
        const text = state === "waits" ? "Your answer did not arrive, and does not count: it still waits" : said || "It does not wait any more";
        this.say("settled", { id, state, text });
        this.say("changed", { ids: [id] });
        return;
      }
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
  }
}
