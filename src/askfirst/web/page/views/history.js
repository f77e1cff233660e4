// What was answered, by whom, what of it still counts, and the figures over it.

import { button, el } from "/dom.js";
import { byDay, ranked } from "/views/charts.js";
import { act, empty, got, heading, pill, row, table } from "/views/parts.js";
import { nameOf, plural, stateWords, when } from "/words.js";

const COLUMNS = ["When", "Answer", "What", "By", ""];
const KINDS = { once: "allow", session: "allow", timed: "allow", permanent: "allow", denied: "deny", expired: "ask", cancelled: "" };
const DAYS = 30;
const DAYS_NARROW = 14;

export async function historyView(box, page) {
  const figures = el("section", { class: "charts", "aria-label": "Figures" });
  const search = el("input", { type: "search", placeholder: "Search", "aria-label": "Search the answers" });
  const rows = el("div", { "aria-live": "polite" });
  const load = async (before = 0) => {
    const { answers, more } = await got(page, "/api/history", { text: search.value, ...(before ? { before } : {}) });
    const cells = answers.map((entry) => answerRow(page, entry, load));
    if (before) rows.querySelector("tbody").append(...cells.map((one) => row(COLUMNS, one)));
    else rows.replaceChildren(answers.length ? table(COLUMNS, cells) : empty("No answers yet", "What you and others answer is listed here."));
    rows.querySelector(".older")?.remove();
    if (more) rows.append(button("Older", () => load(answers[answers.length - 1].seq), { class: "older" }));
  };
  let timer = 0;
  search.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(load, 250); });
  box.replaceChildren(heading("History", "Every answer, wherever it was given", search), figures, rows);
  await load();
  const found = await got(page, "/api/figures", { days: DAYS });
  figures.replaceChildren(
    el("div", { class: "totals" }, total(found.prompts, "prompts"), total(found.verdicts, "calls judged"), total(found.sessions, "sessions"),
      total(found.sessions ? (found.prompts / found.sessions).toFixed(1) : 0, "prompts a session")),
    byDay(found.by_day, innerWidth < 760 ? DAYS_NARROW : DAYS, found.now), ranked("By cause", found.causes), ranked("By answer", found.answers, stateWords));
}

function total(value, words) {
  return el("div", { class: "total" }, el("strong", {}, String(value)), el("span", {}, words));
}

function answerRow(page, entry, again) {
  const undo = entry.grants.map((grant) => act(page, entry.grants.length > 1 ? `Undo for ${grant.session.slice(0, 8)}` : "Undo", "/api/revoke", { id: grant.id }, again, "undo"));
  if (entry.still_denied) undo.push(act(page, "Ask again", "/api/forget-denial", { session: entry.session, digest: entry.digest }, again, "undo"));
  const text = el("code", { translate: "no" }, entry.text);
  return [
    when(entry.at),
    pill([stateWords(entry.state), entry.merge].filter(Boolean).join(", "), KINDS[entry.state]),
    [entry.id ? el("a", { href: `#/request/${entry.id}` }, text) : text,
      el("div", { class: "hint" }, [nameOf(entry.project), entry.agent].filter(Boolean).join(" · "),
        entry.session ? [" · ", el("a", { href: `#/session/${encodeURIComponent(entry.session)}` }, entry.session.slice(0, 8))] : null)],
    entry.by + (entry.reason ? `: ${entry.reason}` : ""),
    undo,
  ];
}
