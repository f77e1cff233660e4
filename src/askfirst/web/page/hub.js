// One connection for all tabs of this browser: the token, the stream, the calls. It runs in a SharedWorker, or in the
// page itself where a browser has none. The token is in this memory and nowhere else: what a browser stores lies in its
// profile, where other programs read it.

const SILENCE_MS = 25000; // the server says something every ten seconds; a pulled cable says nothing
const CALL_MS = 15000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10000;

export class Hub {
  constructor() {
    this.tabs = new Set();
    this.token = "";
    this.status = { state: "out", text: "" };
    this.requests = new Map();
    this.expired = new Map();
    this.around = { alerts: [], paused: "", team: false };
    this.offset = 0; // the server's clock minus ours
    this.cut = null;
    this.running = false;
  }

  attach(port) {
    this.tabs.add(port);
    port.onmessage = ({ data }) => this.take(port, data);
    port.postMessage({ what: "status", ...this.status });
    if (this.status.state === "live") port.postMessage(this.whole());
  }

  take(port, data) {
    if (data.do === "enter") this.enter(data.code);
    else if (data.do === "use") this.use(data.token);
    else if (data.do === "call") this.call(port, data);
    else if (data.do === "hold") this.hold(data.on);
    else if (data.do === "bye") this.tabs.delete(port);
  }

  tell(message) {
    for (const port of this.tabs) port.postMessage(message);
  }

  say(state, text = "") {
    if (this.status.state === state && this.status.text === text) return;
    this.status = { state, text };
    this.tell({ what: "status", state, text });
  }

  whole() {
    const { requests, expired, around, offset } = this;
    return { what: "whole", requests: [...requests.values()], expired: [...expired.values()], around, offset };
  }

  // A code is used once. Where another tab is signed in already, this one joins it.
  async enter(code) {
    if (this.status.state === "live") return;
    this.say("connecting");
    try {
      const response = await this.fetch("/api/session", "POST", { code });
      const result = await response.json();
      if (response.ok) this.use(result.token);
      else if (!this.token) this.say("out", result.error);
    } catch {
      this.say("out", "The page's server does not answer: is `askfirst serve` still running?");
    }
  }

  use(token) {
    this.token = token;
    this.tell({ what: "token", token });
    if (this.cut) this.cut.abort();
    if (!this.running) this.listen();
  }

  // A phone's hidden tab needs no stream, and its browser allows only a few.
  hold(on) {
    this.held = on;
    if (on) this.cut?.abort();
    else if (this.token && !this.running) this.listen();
  }

  fetch(path, method, body, signal = AbortSignal.timeout(CALL_MS)) {
    const headers = { Authorization: `Bearer ${this.token}` };
    if (method === "POST") headers["Content-Type"] = "application/json";
    const sent = method === "POST" ? JSON.stringify(body) : undefined;
    return fetch(path, { method, headers, body: sent, signal, cache: "no-store", credentials: "omit" });
  }

  // `lost`: nobody knows whether it arrived.
  async call(port, { id, method, path, body }) {
    let answer;
    try {
      const response = await this.fetch(path, method, body);
      if (response.status === 401) this.signedOut();
      answer = { ok: response.ok, status: response.status, ...(await response.json()) };
    } catch {
      answer = { ok: false, lost: true, error: "no word from the server" };
    }
    port.postMessage({ what: "result", id, answer });
  }

  signedOut() {
    this.token = "";
    this.requests.clear();
    this.expired.clear();
    this.tell({ what: "token", token: "" });
    this.say("out", "This browser's session has ended. Press Enter where `askfirst serve` runs, and open the new link.");
  }

  async listen() {
    this.running = true;
    for (let wait = FIRST_WAIT_MS; this.token && !this.held; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      const cut = this.cut = new AbortController();
      let timer = 0;
      const heard = () => { clearTimeout(timer); timer = setTimeout(() => cut.abort(), SILENCE_MS); };
      const token = this.token;
      try {
        heard();
        const response = await this.fetch("/api/events", "GET", null, cut.signal);
        if (response.status === 401 && token === this.token) this.signedOut();
        if (response.ok) {
          wait = FIRST_WAIT_MS;
          await this.read(response.body, heard);
        }
      } catch { /* the server is away, or silent: try again below */ }
      clearTimeout(timer);
      if (!this.token || this.held) break;
      if (token !== this.token) continue;
      this.say("lost", "Connection lost: reconnecting");
      await new Promise((done) => setTimeout(done, wait));
    }
    this.running = false;
  }

  async read(body, heard) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let parts = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      parts.push(value);
      if (!value.includes("\n") && !parts.join("").includes("\n\n")) continue;
      const blocks = parts.join("").split("\n\n");
      parts = [blocks.pop()];
      for (const block of blocks) {
        if (block.startsWith("data: ")) this.heard(JSON.parse(block.slice(6)));
        else this.say("live"); // a quiet moment: whatever trouble there was is over
      }
    }
  }

  heard(message) {
    if (message.type === "state") {
      this.offset = message.now - Date.now() / 1000;
      this.requests = new Map(message.requests.map((request) => [request.request_id, request]));
      this.expired = new Map(message.expired.map((request) => [request.request_id, request]));
      this.around = { alerts: message.alerts, paused: message.paused, team: message.team };
      this.say("live");
      this.tell(this.whole());
      return;
    }
    if (message.type === "approval_request") {
      this.requests.set(message.request_id, message);
    } else if (message.type === "approval_response") {
      this.requests.delete(message.request_id);
      if (message.expired) this.expired.set(message.request_id, message.expired);
    } else if (message.type === "dismissed") {
      this.expired.delete(message.request_id);
    } else if (message.type === "around") {
      this.around = { ...this.around, alerts: message.alerts, paused: message.paused };
    } else if (message.type === "trouble") {
      this.say("trouble", message.text);
    }
    if (message.type !== "trouble") this.say("live");
    this.tell({ what: "message", message });
  }
}
