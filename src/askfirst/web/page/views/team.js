// A team's figures.

import { el, svg } from "/dom.js";
import { empty, got, heading, table } from "/views/parts.js";

const WIDTH = 160;
const KINDS = ["allowed", "denied", "unanswered"];

export async function teamView(box, page) {
  const found = await got(page, "/api/team", { days: 30 });
  const groups = [["Who asked", found.askers], ["Who answered", found.answerers], ["What was asked most", found.texts]];
  const most = Math.max(1, ...groups.flatMap(([, lines]) => lines.map((line) => line.count)));
  const columns = ["Share", "Requests", "Allowed", "Denied", "Unanswered", "Median", "Slowest"];
  const seconds = (line, value) => (line.allowed + line.denied ? `${value} s` : "–");
  const cells = (line) => [el("code", {}, line.name), bars(line, most), ...[line.count, line.allowed, line.denied, line.unanswered].map(String), seconds(line, line.median_s), seconds(line, line.slowest_s)];
  box.replaceChildren(
    heading("Team", `${found.total.count} requests in ${found.days} days: ${found.total.allowed} allowed, ${found.total.denied} denied, ${found.total.unanswered} not answered`),
    ...groups.flatMap(([title, lines]) => [el("h2", {}, title), lines.length ? table([title, ...columns], lines.map(cells)) : empty("Nobody yet")]));
}

// Allowed, denied and unanswered as one bar; the columns beside it say the same in figures.
function bars(line, most) {
  let x = 0;
  return svg("svg", { width: WIDTH, height: 14, role: "img", "aria-label": `${line.allowed} allowed, ${line.denied} denied` }, KINDS.map((kind) => {
    const width = WIDTH * line[kind] / most;
    const part = svg("rect", { x, y: 0, width, height: 14, class: `bar-${kind}` });
    x += width;
    return part;
  }));
}
