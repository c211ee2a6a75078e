import { HtmlRenderer, Parser } from "commonmark";
import MarkdownIt from "markdown-it";
import { bare } from "./run-to-end.mjs";

// Judges a run without fixpoint's own parser, from the old and new text of the plan and the observed actions.

const markdownIt = new MarkdownIt({ html: true });
const commonmark = new Parser();
const html = new HtmlRenderer();
const fixTitle = /^\[[ xX]\] \S+ (?:\[[^\]]*\] )*\[FIX [^\]]+\]/;
const shownBox = /(<li>\s*(?:<p>)?|<h\d>)\[[ xX~-]\]/g;

export function judgeRun(seen) {
  return [...judgeEnd(seen), ...judgeBoxes(seen), ...judgeProofs(seen), ...judgeText(seen), ...judgeDelegations(seen)];
}

function judgeEnd({ ended }) {
  return ended.outcome === "complete" ? [] : [`ends with ${ended.outcome}: ${ended.error ?? ""}`];
}

function judgeBoxes({ before, after, ended }) {
  const named = new Set((ended.leftOpen ?? []).map(({ why }) => why));
  const forgotten = new Set(boxesIn(before).flatMap((box) => (isForgotten(box) ? [box.text] : [])));
  return boxesIn(after)
    .filter(({ mark }) => !"xX".includes(mark))
    .flatMap((box) => {
      const why = [...whyOpen(box, boxesIn(after)), ...(isForgotten(box) && forgotten.has(box.text) ? ["step"] : [])];
      if (why.some((one) => named.has(one))) return [];
      return [
        `box left open, ${why.length > 0 ? `not reported as ${why}` : "for no reason"}: line ${box.line}, ${box.text}`,
      ];
    });
}

const isForgotten = ({ mark, outer }) => !"xX".includes(mark) && isInDone(outer);
const isInDone = (box) => box !== null && ("xX".includes(box.mark) || isInDone(box.outer));

const signs = [
  ["optional", /^\\?\*|^ ?[\w.-]+\*|optional|可选|任意/i],
  ["deferred", /^\[~|deferred|out of scope|future (?:work|enhancements|improvements|features|ideas)/i],
  [
    "person",
    /manual|human|by hand|ask the user|user (?:approval|review|confirm)|sign-?off|get approval|decision required|inspe\S+ visual|手动|人工|手作業|手動|目視/i,
  ],
];

function whyOpen(box, boxes) {
  const outer = [];
  for (let one = box.outer; one !== null; one = one.outer) outer.push(one);
  const group = /^\s*(\d+)\.? /.exec(box.text)?.[1] ?? "none";
  const flat = boxes.filter(({ text }) => text.trimStart().startsWith(`${group}.`) && text !== box.text);
  const inner = [...box.inner, ...flat].filter(({ mark }) => !"xX".includes(mark));
  const said = [box, ...outer, ...inner].flatMap(signsOf);
  const hasId = /^\s*(?:\*\*|`)?(?:[Tt]ask |[Ss]tep )?(?:[A-Z]{0,8}-?)?\d[\d.]*[a-z]?(?![\w.])/.test(box.text);
  return [...said, ...(hasId || outer.length > 0 ? [] : ["criterion"])];
}

function signsOf({ mark, text, block, heading }) {
  const own = `${mark === "~" ? "[~" : ""}${text}`;
  return signs.flatMap(([why, sign]) =>
    [own, heading, why === "person" ? block : ""].some((words) => sign.test(words)) ? [why] : [],
  );
}

function judgeProofs({ log, before }) {
  const wrong = [];
  for (const [at, { kind, task, proof }] of log.entries()) {
    if (kind !== "pass") continue;
    const first = log.findIndex((entry) => entry.kind === "delegation" && entry.task === task);
    const prompt = bare(log[first]?.prompt ?? "");
    const own = log
      .slice(0, at)
      .map((entry, index) => ({ ...entry, index }))
      .filter((entry) => entry.kind === "command" && prompt.includes(bare(entry.command)));
    const isGreen = own.some(({ index, isGreen }) => isGreen && index > first);
    const wasRed = own.some(({ index, isGreen }) => !isGreen && index < first);
    if (own.some(({ command }) => !bare(before).includes(bare(command))))
      wrong.push(`${task}: a command was run that is not in the plan`);
    if (proof === "proven" && !(isGreen && wasRed)) wrong.push(`${task}: proven without a command that turned green`);
    if (proof === "checked" && !isGreen) wrong.push(`${task}: checked without a green command`);
    if (proof === "unverified" && isGreen) wrong.push(`${task}: unverified, though its command was green`);
    if (proof !== "unverified" && !isGreen) wrong.push(`${task}: ${proof}, though none of its commands was green`);
  }
  return wrong;
}

function judgeText({ before, after }) {
  return [
    ["markdown-it", showByMarkdownIt],
    ["commonmark", showByCommonmark],
  ].flatMap(([name, show]) => (show(before) === show(after) ? [] : [`rendered differently by ${name}`]));
}

function judgeDelegations({ before, delegations, failed, events, ended }) {
  const fixes = new Set(events.flatMap((event) => (event.type === "fix.inserted" ? [event.fix] : [])));
  const counts = new Map();
  for (const task of delegations) counts.set(task, (counts.get(task) ?? 0) + 1);
  const planned = [...counts.keys()].filter((task) => !fixes.has(task));
  const open = boxesIn(before).filter(({ mark }) => !"xX".includes(mark));
  const most = open.length - (ended.leftOpen ?? []).length;
  return [
    ...[...counts].flatMap(([task, count]) =>
      count > (failed.has(task) ? 2 : 1) ? [`${task}: delegated ${count} times`] : [],
    ),
    ...(fixes.size > failed.size ? [`${fixes.size} fixes of ${failed.size} failures`] : []),
    ...(planned.length > most ? [`${planned.length} tasks delegated, expected at most ${most}`] : []),
    ...open
      .filter((box) => isGroup(box) && planned.includes(idOf(box)))
      .map(({ line, text }) => `a group was delegated: line ${line}, ${text}`),
  ];
}

const isGroup = ({ text, block, inner }) =>
  inner.length > 0 &&
  idOf({ text }) !== null &&
  inner.every((box) => idOf(box)?.startsWith(`${idOf({ text })}.`)) &&
  block.split("\n", 2)[1]?.trimStart().startsWith("- [") === true;

const idOf = ({ text }) => /^(?:\*\*)?(\d+(?:\.\d+)*)/.exec(text.trimStart())?.[1] ?? null;

export function boxesIn(text) {
  const lines = text.split(/\r\n|\n|\r/);
  const tokens = markdownIt.parse(text, {});
  const found = [];
  const around = [];
  const headings = [];
  let quotes = 0;
  tokens.forEach(({ type, tag, map, level }, index) => {
    if (type === "blockquote_open") quotes += 1;
    if (type === "blockquote_close") quotes -= 1;
    if (type === "list_item_close") around.pop();
    if (type === "heading_open" && level === 0) {
      headings.length = Number(tag[1]) - 1;
      headings.push(tokens[index + 1].content);
    }
    if (type !== "list_item_open") return;
    const first = tokens[index + 1]?.type;
    const inline = first === "paragraph_open" || first === "heading_open" ? tokens[index + 2] : undefined;
    const [, mark, written] = /^\[([ xX~-])\]([^\n]*)/.exec(inline?.content ?? "") ?? [];
    const outer = around.findLast((one) => one !== null) ?? null;
    const isBox = mark !== undefined && quotes === 0 && !written.startsWith("(") && written !== "";
    const box = isBox
      ? {
          ...{ mark, text: written, line: inline.map[0] + 1, block: lines.slice(...map).join("\n") },
          ...{ heading: headings.filter(Boolean).slice(-2).join(" "), inner: [], outer },
        }
      : null;
    around.push(box);
    if (box === null) return;
    outer?.inner.push(box);
    found.push(box);
  });
  return found;
}

function showByMarkdownIt(text) {
  const tokens = markdownIt.parse(text, {});
  const kept = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const { type, level } = tokens[at];
    const isFix = type === "list_item_open" && fixTitle.test(tokens[at + 2]?.content ?? "");
    if (!isFix) kept.push(tokens[at]);
    else
      at = tokens.findIndex((token, index) => index > at && token.type === "list_item_close" && token.level === level);
    const [open, close] = kept.slice(-2);
    if (/_list_open$/.test(open?.type ?? "") && /_list_close$/.test(close?.type ?? "")) kept.length -= 2;
  }
  return markdownIt.renderer.render(kept, markdownIt.options, {}).replace(shownBox, "$1[ ]");
}

function showByCommonmark(text) {
  const root = commonmark.parse(text);
  const fixes = [];
  const walker = root.walker();
  for (let step = walker.next(); step !== null; step = walker.next()) {
    const { node, entering } = step;
    if (entering && node.type === "item" && fixTitle.test(wordsOf(node.firstChild))) fixes.push(node);
  }
  for (const fix of fixes) {
    const list = fix.parent;
    fix.unlink();
    if (list.firstChild === null) list.unlink();
  }
  return html.render(root).replace(shownBox, "$1[ ]");
}

function wordsOf(node) {
  let words = "";
  const walker = node?.walker();
  for (let step = walker?.next() ?? null; step !== null; step = walker.next()) words += step.node.literal ?? "";
  return words;
}
