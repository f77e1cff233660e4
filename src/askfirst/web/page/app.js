// The page: exchanges the link's code for a token, keeps the stream open, and wires the views together.

import { el, prose } from "/dom.js";
import { Queue } from "/queue.js";
import { grantsView, historyView, logView, teamView } from "/views.js";

const SILENCE_MS = 25000; // the server says something every ten seconds; a pulled cable says nothing
const NOTIFY_MS = 10000; // one notification for a burst
const CALL_MS = 15000;
const byId = (id) => document.getElementById(id);
let view = "queue";
// In this page's memory and nowhere else: what a browser stores lies in its profile, where other programs read it.
let token = "";

function posting(value) {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) };
}

const api = {
  async call(path, options = {}) {
    const headers = { ...options.headers, Authorization: `Bearer ${token}` };
    const always = { cache: "no-store", credentials: "omit", headers };
    const response = await fetch(path, { signal: AbortSignal.timeout(CALL_MS), ...options, ...always });
    if (response.status === 401) status("open a new link: press Enter where `askfirst serve` runs", true);
    return response;
  },
  async get(path) {
    return (await this.call(path)).json();
  },
  async post(path, value) {
    try {
      const response = await this.call(path, posting(value));
      return { ok: response.ok, ...(await response.json()) };
    } catch {
      return { ok: false, error: "no connection: your answer was not sent" };
    }
  },
};

const queue = new Queue(async (answer) => {
  const result = await api.post("/api/respond", answer);
  return result.ok ? "" : result.error;
}, (path, value) => api.post(path, value), announce);

function announce(text) {
  byId("announce").textContent = text.slice(0, 300);
}

function status(text, bad = false) {
  byId("connection").textContent = text;
  byId("connection").classList.toggle("bad", bad);
}

// A code in the fragment is used once and taken out of the address, so that it is in no bookmark and no history.
async function enter() {
  const code = location.hash.slice(1);
  if (!code) return;
  history.replaceState(null, "", "/");
  const response = await fetch("/api/session", { ...posting({ code }), credentials: "omit" });
  const result = await response.json();
  if (response.ok) token = result.token;
  else if (!token) status(result.error, true);
}

async function listen() {
  for (let wait = 500; ; wait = Math.min(wait * 2, 10000)) {
    const cut = new AbortController();
    let timer = 0;
    const heard = () => { clearTimeout(timer); timer = setTimeout(() => cut.abort(), SILENCE_MS); };
    try {
      heard();
      const response = await api.call("/api/events", { signal: cut.signal });
      if (response.status === 401) return;
      if (response.ok) {
        status("live");
        wait = 500;
        await read(response.body, heard);
      }
    } catch { /* the server is away, or silent: try again below */ }
    clearTimeout(timer);
    status("connection lost: reconnecting", true);
    document.body.classList.add("offline");
    await new Promise((done) => setTimeout(done, wait));
  }
}

async function read(body, heard) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    text += value;
    let end;
    while ((end = text.indexOf("\n\n")) >= 0) {
      const data = text.slice(0, end).split("\n").find((line) => line.startsWith("data: "));
      text = text.slice(end + 2);
      if (data) take(JSON.parse(data.slice(6)));
      else status("live"); // a quiet moment: whatever trouble there was is over
    }
  }
}

function take(message) {
  document.body.classList.remove("offline");
  if (message.type === "state") {
    queue.reset(message.requests, message.now);
    document.querySelector("nav [data-view=team]").hidden = !message.team;
    showAlerts(message.alerts);
  } else if (message.type === "approval_request") {
    queue.put(message);
    notify(message);
  } else if (message.type === "approval_response") {
    queue.gone(message);
    if (view === "history" || view === "grants") show(view);
  } else if (message.type === "alerts") {
    showAlerts(message.alerts);
  } else if (message.type === "trouble") {
    status(message.text, true);
  }
}

function showAlerts(alerts) {
  const box = byId("alerts");
  box.hidden = alerts.length === 0;
  box.replaceChildren(...alerts.map((alert) => el("p", {},
    el("strong", {}, `⚑ Session ${alert.session.slice(0, 8)} of ${alert.agent || "an agent"} is flagged for review`),
    ` after ${alert.violations} violations; the last: `, prose(alert.last.split(" (")[0]), " ",
    el("button", { type: "button", on: { click: () => api.post("/api/clear-alert", { session: alert.session }) } },
      "Clear: I have reviewed it"))));
  queue.restart();
  if (alerts.length) notify({ agent: alerts[0].agent, command: "session flagged for review" });
}

// Once per quiet burst, and only when nobody looks.
let notified = 0;
function notify(message) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  if (!document.hidden || Date.now() - notified < NOTIFY_MS) return;
  notified = Date.now();
  const body = `${message.agent}: ${message.command.slice(0, 120)}`;
  new Notification("askfirst: an agent is waiting", { body, tag: "askfirst" });
}

function show(name) {
  view = name;
  for (const button of document.querySelectorAll("nav button")) {
    if (button.dataset.view === name) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
  for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== name;
  const fill = { history: historyView, grants: grantsView, log: logView, team: teamView }[name];
  const failed = el("p", { class: "empty" }, "No connection. Open this view again once the page is live.");
  fill?.(byId(name), api).catch(() => byId(name).replaceChildren(failed));
  if (name === "queue") queue.restart();
}

byId("approve-all").addEventListener("click", async () => {
  const cards = queue.onScreen().filter((card) => card.ready && !card.hasMoved());
  const items = cards.map(({ request }) => ({ request_id: request.request_id, digest: request.digest }));
  if (items.length) {
    const result = await api.post("/api/approve-all", { items });
    if (!result.ok) status(result.error, true);
  }
});

for (const button of document.querySelectorAll("nav button")) {
  button.addEventListener("click", () => show(button.dataset.view));
}

const shortcuts = byId("shortcuts");
shortcuts.checked = localStorage.getItem("askfirst-shortcuts") !== "off";
shortcuts.addEventListener("change", () => {
  localStorage.setItem("askfirst-shortcuts", shortcuts.checked ? "on" : "off");
});
document.addEventListener("keydown", (event) => {
  if (!shortcuts.checked || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.matches("input, select, textarea")) return;
  const cards = [...queue.cards.values()];
  const focused = cards.find((card) => card.node.contains(document.activeElement));
  const key = event.key.toLowerCase();
  if (key === "?") {
    byId("help").showModal();
  } else if (byId("help").open || view !== "queue") {
    return; // a key that is meant for what lies above answers nothing below
  } else if ((key === "j" || key === "n" || key === "k") && cards.length) {
    const at = cards.indexOf(focused);
    const next = key === "k" ? Math.max(at, 0) + cards.length - 1 : at + 1;
    queue.focus(cards[next % cards.length]);
  } else if (focused && key === "r") {
    event.preventDefault();
    focused.reason.focus();
  } else if (focused?.ways && key === "m") {
    focused.ways.focus();
  } else if (focused && { s: 1, p: 1, o: 1, d: 1 }[key]) {
    focused.answer({ s: "session", p: "permanent", o: "once", d: "deny" }[key]);
  }
});
byId("keys").addEventListener("click", () => byId("help").showModal());

if ("Notification" in window && Notification.permission === "default") {
  const button = byId("notify");
  button.hidden = false;
  button.addEventListener("click", async () => { await Notification.requestPermission(); button.hidden = true; });
}

addEventListener("hashchange", () => enter().then(() => location.reload()));
enter().then(listen);
