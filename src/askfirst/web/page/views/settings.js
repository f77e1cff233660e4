// The pause, the browsers that may use the page, and how this browser shows it.

import { button, el } from "/dom.js";
import { act, choice, got, heading, pill, table } from "/views/parts.js";
import { ago } from "/words.js";

const PAUSES = [["1800", "30 minutes"], ["7200", "2 hours"], ["0", "until I resume"]];

export async function settingsView(box, page) {
  const found = await got(page, "/api/settings");
  const again = () => settingsView(box, page);
  box.replaceChildren(heading("Settings"),
    panel("Pause", "Denies every call of every agent at once. What waits is withdrawn.", pausePart(page, found, again)),
    panel("Browsers", "Each opened a link that `askfirst serve` printed. One that you do not know can be ended here.".replaceAll("`", ""), table(["Browser", "Address", "Since", "Last used", ""], found.logins.map((login) => [
      [el("strong", {}, login.browser), " ", login.this ? pill("this one", "allow") : ""],
      el("code", {}, login.address),
      ago(Date.now() / 1000 - login.since),
      ago(Date.now() / 1000 - login.last),
      act(page, login.this ? "Sign out" : "End", "/api/end-login", { id: login.id }, again, "undo"),
    ]))),
    panel("This browser", "", el("div", { class: "options" }, themePart(page), keysPart(page), notifyPart(), stayPart(page))),
    el("p", { class: "hint" }, `askfirst ${found.version} · you answer as ${found.who}`));
}

function panel(title, words, ...inner) {
  return el("section", { class: "panel" }, el("h2", {}, title), words ? el("p", { class: "hint" }, words) : null, inner);
}

function pausePart(page, found, again) {
  if (found.paused) return el("p", {}, pill("paused", "ask"), ` ${found.paused} `, act(page, "Resume", "/api/resume", {}, again, "primary"));
  const span = choice("For how long", PAUSES);
  const reason = el("input", { type: "text", placeholder: "Reason for the agents (optional)", "aria-label": "Reason for the agents", maxlength: "200" });
  const pause = button("Pause all agents", async () => {
    const result = await page.link.post("/api/pause", { seconds: Number(span.value), reason: reason.value });
    page.announce(result.ok ? "Paused: every call is denied" : result.error, !result.ok);
    await again();
  }, { class: "danger-button" });
  return el("div", { class: "row" }, pause, span, reason);
}

function option(label, control, words = "") {
  return el("label", { class: "option" }, el("span", {}, label, words ? el("span", { class: "hint" }, words) : null), control);
}

function themePart(page) {
  const control = choice("Theme", [["system", "As the system"], ["light", "Light"], ["dark", "Dark"]], page.options.theme);
  control.addEventListener("change", () => { page.options.theme = control.value; });
  return option("Theme", control);
}

function keysPart(page) {
  const control = el("input", { type: "checkbox", id: "shortcuts", checked: page.options.shortcuts, on: { change: () => { page.options.shortcuts = control.checked; } } });
  return option("Keys", control, "S, P, O and D answer the request that is shown");
}

function notifyPart() {
  if (!("Notification" in self)) return null;
  const control = el("input", { type: "checkbox", checked: Notification.permission === "granted", disabled: Notification.permission !== "default",
    on: { change: async () => { control.checked = await Notification.requestPermission() === "granted"; control.disabled = Notification.permission !== "default"; } } });
  const words = { granted: "allowed; change it in the browser's settings", denied: "the browser blocks them for this address", default: "when an agent waits and nobody looks" };
  return option("Notifications", control, words[Notification.permission]);
}

function stayPart(page) {
  if (!page.link.mayStay) return null;
  const control = el("input", { type: "checkbox", checked: page.link.stays, on: { change: () => { page.link.stays = control.checked; } } });
  return option("Stay signed in on this device", control, "until `askfirst serve` ends; only on a device that is yours alone".replaceAll("`", ""));
}
