// What is allowed: grants, denials, and each project's rule file with its entries, profiles and trust.

import { Diff } from "/diff.js";
import { button, el } from "/dom.js";
import { act, confirmChange, empty, got, heading, pill, table } from "/views/parts.js";
import { ago, nameOf, plural, when } from "/words.js";

const LASTS = { session: "session", timed: "for a time", permanent: "always" };

export async function rulesView(box, page, chosen) {
  const again = () => rulesView(box, page, chosen);
  const [{ grants, denials }, { projects }] = [await got(page, "/api/grants"), await got(page, "/api/projects")];
  const current = projects.find(({ raw }) => raw === chosen) || projects[0];
  const files = el("section", { "aria-label": "Rule file" });
  box.replaceChildren(heading("Rules", "What runs without asking, and what you can take back", el("a", { href: "#/suggestions" }, "Suggestions")),
    projects.length ? picker(projects, current) : "", files,
    el("h2", {}, "Grants"), grants.length ? grantTable(page, grants, again) : empty("No grants in force", "What you allow for a session or for a time is listed here, until it ends or you undo it."),
    ...(denials.length ? [el("h2", {}, "Denials"), denialTable(page, denials, again)] : []));
  if (current) await projectPart(files, page, current.raw, again);
}

function picker(projects, current) {
  const change = (event) => { location.hash = `#/rules/${encodeURIComponent(event.target.value)}`; };
  return el("label", { class: "picker" }, "Project ", el("select", { on: { change } }, projects.map(({ project, raw }) =>
    el("option", { value: raw, selected: raw === current.raw }, `${nameOf(project)} (${project})`))));
}

async function projectPart(box, page, project, again) {
  const found = await got(page, "/api/project", { project });
  box.replaceChildren(el("div", { class: "panel" },
    el("div", { class: "panel-head" }, el("h2", {}, "Rule file"), el("code", { class: "hint" }, found.file), trustPill(found)),
    found.problem ? el("pre", { class: "problem" }, found.problem) : null,
    trustPart(page, found, again),
    found.entries.length ? el("ul", { class: "entries" }, found.entries.map((entry) => el("li", {}, el("pre", { translate: "no" }, entry.text),
      el("span", { class: "hint" }, entry.by ? `added by ${entry.by}` : ""),
      act(page, "Undo", "/api/take-out", { project, id: entry.id }, again, "undo")))) : el("p", { class: "hint" }, "It has no entries of its own yet: “Allow always” adds one."),
    el("h3", {}, "Profiles"),
    el("p", { class: "hint" }, "Named sets for a kind of project: its tests, linters and builds run without asking."),
    profileList(page, project, found.profiles.filter(({ on, fits }) => on || fits), again),
    el("details", {}, el("summary", {}, "Other kinds of projects"), profileList(page, project, found.profiles.filter(({ on, fits }) => !on && !fits), again))));
}

function trustPill({ exists, trusted }) {
  if (!exists) return pill("no file yet");
  return trusted ? pill("trusted", "allow") : pill("not trusted", "ask");
}

function trustPart(page, found, again) {
  if (!found.exists) return null;
  const body = { project: found.raw, sha256: found.sha256 };
  if (found.trusted) return el("p", {}, act(page, "Stop trusting it", "/api/untrust", body, again, "quiet"));
  return el("div", { class: "note" },
    el("p", {}, "Nothing in this file counts until you have read it and trust it. What is new since you last did:"),
    new Diff(found.changes, { name: nameOf(found.file) }).node,
    act(page, "I have read it: trust it", "/api/trust", body, again, "primary"));
}

function profileList(page, project, profiles, again) {
  return el("ul", { class: "profiles" }, profiles.map((profile) => profilePart(page, project, profile, again)));
}

function profilePart(page, project, profile, again) {
  const words = profile.on ? "Switch off" : "Switch on";
  const title = `${words} ${profile.name}`;
  const change = () => confirmChange(page, title, "/api/profile", { project, name: profile.name, on: !profile.on }, again);
  return el("li", { class: profile.on ? "on" : "" },
    el("div", {}, el("strong", {}, profile.name), profile.on ? pill("on", "allow") : profile.fits ? pill(`fits: ${profile.fits}`, "ask") : null,
      el("div", { class: "hint" }, profile.description),
      profile.examples.length ? el("div", { class: "hint" }, el("code", {}, profile.examples.join("   "))) : null),
    button(words, change, { class: "small", "aria-label": title }));
}

function grantTable(page, grants, again) {
  return table(["For", "Covers", "Given", "Until", "Used", ""], grants.map((grant) => [
    pill(LASTS[grant.duration], "allow"),
    [el("code", { translate: "no" }, grant.text), el("div", { class: "hint" }, [grant.scope, nameOf(grant.project), grant.agent].filter(Boolean).join(" · "))],
    [when(grant.created), el("div", { class: "hint" }, `by ${grant.by}`)],
    grant.until ? when(grant.until) : grant.duration === "session" ? `session ${grant.session.slice(0, 8)} ends` : "you undo it",
    grant.uses ? `${plural(grant.uses, "time")}, ${ago(Date.now() / 1000 - grant.last)}` : "never",
    act(page, "Undo", "/api/revoke", { id: grant.id }, again, "undo"),
  ]));
}

function denialTable(page, denials, again) {
  return table(["Denied", "What", "Session", "By", ""], denials.map((denial) => [
    when(denial.at),
    el("code", { translate: "no" }, denial.text),
    [denial.session.slice(0, 8), el("div", { class: "hint" }, nameOf(denial.project))],
    denial.by + (denial.reason ? `: ${denial.reason}` : ""),
    act(page, "Ask again", "/api/forget-denial", { session: denial.session, digest: denial.digest }, again, "undo"),
  ]));
}
