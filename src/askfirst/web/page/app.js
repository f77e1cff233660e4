// The page: its frame, its addresses, its keys.

import { button, byId, el, icon, prose } from "/dom.js";
import { Link } from "/link.js";
import { Queue } from "/queue.js";
import { Store } from "/store.js";
import { historyView } from "/views/history.js";
import { logView } from "/views/log.js";
import { rulesView } from "/views/rules.js";
import { sessionView } from "/views/session.js";
import { settingsView } from "/views/settings.js";
import { suggestionsView } from "/views/suggestions.js";
import { teamView } from "/views/team.js";
import { plural } from "/words.js";

const NOTIFY_MS = 10000; // one notification for a burst
const TOAST_MS = 6000;
const MAX_TOASTS = 3;
const VIEWS = { history: historyView, rules: rulesView, suggestions: suggestionsView, log: logView, session: sessionView, settings: settingsView, team: teamView };
const NAV = [["", "queue", "Queue"], ["history", "history", "History"], ["rules", "rules", "Rules"], ["suggestions", "suggestions", "Suggestions"], ["log", "log", "Log"], ["settings", "settings", "Settings"], ["team", "team", "Team"]];

const link = new Link();
const store = new Store(link);
const queue = new Queue(store, link, announce);
const page = { link, store, announce, options: options() };
let shown = "";

function options() {
  const read = (name, fallback) => localStorage.getItem(`askfirst-${name}`) || fallback;
  return {
    get shortcuts() { return read("shortcuts", "on") !== "off"; },
    set shortcuts(on) { localStorage.setItem("askfirst-shortcuts", on ? "on" : "off"); },
    get theme() { return read("theme", "system"); },
    set theme(name) { localStorage.setItem("askfirst-theme", name); paint(); },
  };
}

function paint() {
  document.documentElement.dataset.theme = localStorage.getItem("askfirst-theme") || "system";
}

// Said to whoever listens, and shown for a moment.
function announce(text, bad = false, id = "") {
  const toast = el("p", { class: bad ? "toast bad" : "toast" }, id ? el("a", { href: `#/request/${id}` }, text.slice(0, 300)) : text.slice(0, 300));
  byId("toasts").append(toast);
  while (byId("toasts").childElementCount > MAX_TOASTS) byId("toasts").firstElementChild.remove();
  setTimeout(() => toast.remove(), TOAST_MS);
}

// -- the frame

for (const [path, name, words] of NAV) {
  byId("nav").append(el("a", { href: `#/${path}`, "data-view": name, hidden: name === "team" },
    icon(name), el("span", { class: "nav-words" }, words), name === "queue" ? el("span", { id: "count", class: "count", hidden: true }) : null));
}

function frame() {
  const { state, text } = store.status;
  const words = { live: "Live", connecting: "Connecting…", lost: "Reconnecting", trouble: "Trouble", out: "Signed out" };
  byId("connection").textContent = words[state];
  byId("connection").dataset.state = state;
  document.body.classList.toggle("offline", state !== "live" && state !== "trouble");
  byId("signed-out").hidden = state !== "out";
  byId("frame").hidden = state === "out";
  if (state === "out") byId("signed-out-why").replaceChildren(...prose(text || "Press Enter where `askfirst serve` runs, and open the link that it prints."));
  banners();
}

function banners() {
  const { alerts, paused } = store.around;
  const { state, text } = store.status;
  const bar = (kind, ...inner) => el("div", { class: `banner ${kind}` }, inner);
  const parts = alerts.map((alert) => bar("bad",
    el("span", {}, el("strong", {}, `⚑ Session ${alert.session.slice(0, 8)} of ${alert.agent || "an agent"} is flagged for review`),
      ` after ${plural(alert.violations, "violation")}; the last: `, prose(alert.last.split(" (")[0])),
    button("I have reviewed it", () => link.post("/api/clear-alert", { session: alert.session }))));
  if (paused) parts.push(bar("warn", el("span", {}, el("strong", {}, "Paused: "), prose(paused)), button("Resume", () => link.post("/api/resume", {}))));
  if (state === "trouble" || state === "lost") parts.push(bar("bad", el("span", {}, text)));
  byId("banners").replaceChildren(...parts);
  queue.card?.restart();
}

function count() {
  const waiting = store.requests.size;
  document.title = waiting ? `(${waiting}) askfirst` : "askfirst";
  byId("count").textContent = String(waiting);
  byId("count").hidden = waiting === 0;
}

// -- addresses

function route() {
  link.enter();
  const [name, id] = location.hash.slice(2).split("/");
  const view = name === "" || name === "request" ? "queue" : name in VIEWS ? name : "queue";
  for (const entry of byId("nav").children) {
    if (entry.dataset.view === view) entry.setAttribute("aria-current", "page");
    else entry.removeAttribute("aria-current");
  }
  if (view === "queue") {
    if (shown !== "queue") byId("main").replaceChildren(queue.node);
    queue.route(name === "request" ? id || "" : "");
  } else {
    open(view, id);
  }
  shown = view;
}

async function open(view, id) {
  const box = el("div", { class: `view ${view}` });
  byId("main").replaceChildren(box);
  byId("main").scrollTop = 0;
  const failed = (why) => box.replaceChildren(el("div", { class: "empty" }, el("h2", {}, "Not available"), el("p", {}, why)));
  try {
    await VIEWS[view](box, page, id ? decodeURIComponent(id) : "");
  } catch (error) {
    failed(error.message);
  }
}

// -- keys and notifications

document.addEventListener("keydown", (event) => {
  if (!page.options.shortcuts || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (document.querySelector("dialog[open]")) return; // a key that is meant for what lies above answers nothing below
  const key = event.key.toLowerCase();
  if (event.target.matches("input:not([type=checkbox]):not([type=radio]), select, textarea")) {
    if (key === "escape") event.target.blur();
    return;
  }
  if (event.target.matches("[type=radio]") && key.startsWith("arrow")) return;
  if (key === "?") byId("help").showModal();
  else if (shown === "queue" && store.status.state !== "out" && queue.key(key)) event.preventDefault();
});
byId("skip").addEventListener("click", () => byId("main").focus());
byId("keys").addEventListener("click", () => byId("help").showModal());

// Once per quiet burst, and only when nobody looks. Of several tabs one speaks: the tag is the same.
let notified = 0;
function notify(request) {
  if (!("Notification" in self) || Notification.permission !== "granted") return;
  if (!document.hidden || Date.now() - notified < NOTIFY_MS) return;
  notified = Date.now();
  try {
    const told = new Notification("An agent waits for you", { body: `${request.agent}: ${request.command.slice(0, 120)}`, tag: "askfirst" });
    told.onclick = () => { focus(); location.hash = `#/request/${request.request_id}`; };
  } catch { /* a phone's browser shows none from a page */ }
}

paint();
store.addEventListener("status", frame);
store.addEventListener("around", () => {
  byId("nav").querySelector("[data-view=team]").hidden = !store.around.team;
  banners();
});
store.addEventListener("changed", count);
store.addEventListener("asked", ({ detail }) => {
  byId("announce").textContent = `${detail.is_dangerous ? "Dangerous request" : "Request"} from ${detail.agent}: ${detail.command}`.slice(0, 300);
  notify(detail);
});
addEventListener("hashchange", route);
route();
