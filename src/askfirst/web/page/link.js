// This tab's side of the hub.

import { Hub } from "/hub.js";

const WORKER = "/worker.js";
const KEPT = "askfirst-token";
// What is stored on this machine can be read by programs on it. At an address that is forwarded, the browser is another
// machine's: there a person may choose to stay signed in.
const IS_HERE = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname) || location.hostname.endsWith(".localhost");

export class Link extends EventTarget {
  constructor() {
    super();
    this.waiting = new Map();
    this.next = 0;
    this.port = connected();
    this.port.onmessage = ({ data }) => this.take(data);
    addEventListener("pagehide", (event) => { if (!event.persisted) this.port.postMessage({ do: "bye" }); });
  }

  get mayStay() {
    return !IS_HERE;
  }

  get stays() {
    return this.mayStay && localStorage.getItem("askfirst-stay") === "yes";
  }

  set stays(on) {
    localStorage.setItem("askfirst-stay", on ? "yes" : "no");
    if (on && this.token) localStorage.setItem(KEPT, this.token);
    else localStorage.removeItem(KEPT);
  }

  // A code in the fragment is taken out of the address, so that it is in no bookmark and no history.
  enter() {
    const fragment = location.hash.slice(1);
    const isCode = /^[\w-]{40,}$/.test(fragment);
    if (isCode) history.replaceState(null, "", location.pathname);
    const kept = this.stays && !this.token ? localStorage.getItem(KEPT) : "";
    if (isCode) this.port.postMessage({ do: "enter", code: fragment });
    else if (kept) this.port.postMessage({ do: "use", token: kept });
  }

  take(data) {
    if (data.what === "result") {
      this.waiting.get(data.id)?.(data.answer);
      this.waiting.delete(data.id);
    } else if (data.what === "token") {
      this.token = data.token;
      if (this.stays && data.token) localStorage.setItem(KEPT, data.token);
      else if (!data.token) localStorage.removeItem(KEPT);
    } else {
      this.dispatchEvent(new CustomEvent(data.what, { detail: data }));
    }
  }

  call(method, path, body = null) {
    return new Promise((done) => {
      const id = ++this.next;
      this.waiting.set(id, done);
      this.port.postMessage({ do: "call", id, method, path, body });
    });
  }

  get(path, query = {}) {
    const given = new URLSearchParams(query).toString();
    return this.call("GET", given ? `${path}?${given}` : path);
  }

  post(path, body) {
    return this.call("POST", path, body);
  }
}

function connected() {
  if ("SharedWorker" in self) {
    // It may outlive its last tab for a moment, so that reloading does not sign a person out.
    const worker = new SharedWorker(trusted(WORKER), { type: "module", name: "askfirst", extendedLifetime: true });
    worker.port.start();
    return worker.port;
  }
  const { port1, port2 } = new MessageChannel();
  const hub = new Hub();
  hub.attach(port2);
  document.addEventListener("visibilitychange", () => port1.postMessage({ do: "hold", on: document.hidden }));
  return port1;
}

// The only address that may become a script.
function trusted(url) {
  if (!self.trustedTypes) return url;
  const policy = self.trustedTypes.createPolicy("askfirst-worker", {
    createScriptURL(asked) {
      if (asked !== WORKER) throw new TypeError("not the page's worker");
      return asked;
    },
  });
  return policy.createScriptURL(url);
}
