import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { createTries, outcomesOfRuns } from "./corpus/try-runs.mjs";

// Reads every plan in the given folders, counts its contents, tries each edit on each task, and runs the plan to its
// end.
//   node scripts/corpus.mjs <folder> ... [--table] [--logs <name of a folder>] [--no-edits] [--no-runs]
//       [--dist <built package>]
const { positionals, values } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    dist: { type: "string", default: fileURLToPath(new URL("../dist", import.meta.url)) },
    edits: { type: "boolean", default: true },
    logs: { type: "string", default: "progress" },
    runs: { type: "boolean", default: true },
    table: { type: "boolean", default: false },
  },
});
if (positionals.length === 0) {
  process.stderr.write("Usage: npm run corpus -- <folder> ...\n");
  process.exit(2);
}

const load = (name) => import(pathToFileURL(join(resolve(values.dist), "src", `${name}.js`)).href);
const { openPlan, applyEdit } = await load("markdown/document/plan-document");
const { readPlan } = await load("markdown/document/plan-document");
const { isGeneratedId } = await load("markdown/tasks/read-title");
const { lintPlan } = await load("markdown/lint-plan");
const { fixEdit } = await load("markdown/insert-fix-task");
const { tickEdits } = await load("markdown/tick-task");
const { appendCompleted } = await load("markdown/progress/append-entry");
const { appendFixHistory } = await load("markdown/progress/append-fix-history");
const { readPlainChunk, readTextChunk } = await load("markdown/document/cut-chunks");
const tryRuns = await createTries(load, join(resolve(values.dist), "src/hosts/cli/main.js"));

const dialects = [...(await load("markdown/dialects/dialects")).dialects.map(({ name }) => name), "no task"];
const contents = [
  ["plans", ({ plan }) => plan.isOne],
  ["with CRLF", ({ text }) => /\r\n/.test(text)],
  ["with a byte order mark", ({ text }) => text.startsWith("\uFEFF")],
  ["with front matter", ({ text }) => /^\uFEFF?---\r?\n(?:.*:.*\r?\n|[ -].*\r?\n)+---\r?\n/.test(text)],
  ["with numbered or named phases", ({ phases }) => phases.some((title) => /^(?:phase|\d+[.):])/i.test(title))],
  ["chunks parsed one by one", ({ chunks }) => chunks.length],
  ["chunks parsed by mdast", ({ chunks }) => chunks.filter(({ byTree }) => byTree).length],
  ["characters in all", ({ text }) => text.length],
  ["characters in chunks parsed by mdast", ({ chunks }) => sum(chunks, ({ byTree, length }) => (byTree ? length : 0))],
  ["tasks", ({ tasks }) => tasks.length],
  ["of them done", ({ tasks }) => tasks.filter(({ done }) => done).length],
  ["in another task", ({ tasks }) => tasks.filter(({ parent }) => parent !== null).length],
  ["with an id in the plan", ({ tasks }) => tasks.filter(({ id }) => !isGeneratedId(id)).length],
  ["with an id from the title", ({ tasks }) => tasks.filter(({ id }) => isGeneratedId(id)).length],
  ["with fields", ({ tasks }) => tasks.filter(({ fields }) => Object.keys(fields).length > 0).length],
  ["with a Verify", ({ tasks }) => tasks.filter(({ fields }) => fields.verify !== undefined).length],
  ["`[VERIFY]`", ({ tasks }) => marked(tasks, /^VERIFY$/)],
  ["`[VERIFY:…]`", ({ tasks }) => marked(tasks, /^VERIFY:/)],
  ["`[P]`", ({ tasks }) => marked(tasks, /^P$/)],
  ["`[FIX …]`", ({ tasks }) => marked(tasks, /^FIX /)],
  ["`[US…]`", ({ tasks }) => marked(tasks, /^US\d/)],
  ["other markers", ({ tasks }) => marked(tasks, /^(?!VERIFY(?::|$)|P$|FIX |US\d)/)],
  ["`[X]`", ({ tasks, text }) => tasks.filter(({ box }) => text[box] === "X").length],
  ["`[-]`, `[~]`", ({ tasks, text }) => tasks.filter(({ box }) => "-~".includes(text[box])).length],
  [
    "`[ ]*`, optional",
    ({ tasks, text }) => tasks.filter(({ box }) => /^\]\\?\*/.test(text.slice(box + 1, box + 4))).length,
  ],
  [
    "no blank after the box",
    ({ tasks, text }) => tasks.filter(({ box }) => /^\][^\s*\\]/.test(text.slice(box + 1))).length,
  ],
  ["boxes that are checks of a task", ({ tasks, text }) => sum(tasks, (task) => checksIn(text, task, tasks))],
  ["tasks with a fence", ({ tasks, text }) => tasks.filter((task) => fencesIn(text, task).length > 0).length],
  ["with a box in a fence", ({ tasks, text }) => tasks.filter((task) => fencesIn(text, task).some(hasBox)).length],
];
const outcomes = ["fixes inserted", "fixes refused", "ticks", "duplicate ids"];

const counts = new Map(dialects.map((dialect) => [dialect, new Map()]));
const findings = new Map(dialects.map((dialect) => [dialect, new Map()]));
const folders = new Map();
const runs = new Map();
const violations = [];
let appended = 0;
let slowest = { ms: 0, file: "" };

for (const path of positionals.flatMap(markdownBelow)) {
  const file = relative(
    positionals.find((folder) => path.startsWith(join(folder, sep))),
    path,
  );
  const text = readFileSync(path, "utf8");
  try {
    if (isLog(file)) tryAppends(file, text);
    else {
      tryPlan(file, text);
      if (values.runs) await runPlan(file, path);
    }
  } catch (error) {
    violations.push(`${file}: ${error.stack}`);
  }
}

const used = dialects.filter((dialect) => counts.get(dialect).get("plans") > 0);
const rules = [...new Set([...findings.values()].flatMap((found) => [...found.keys()]))].sort();
printTable("", [...contents.map(([name]) => name), ...(values.edits ? outcomes : [])], counts);
printTable("finding", rules, findings);
const kinds = new Map(used.map((dialect) => [dialect, folders.get(dialect) ?? new Map()]));
printTable("folder", [...new Set([...kinds.values()].flatMap((found) => [...found.keys()]))].sort(), kinds);
if (values.runs) printTable("runs to the end", outcomesOfRuns, runs, [...runs.keys()].sort());
print(`${appended} logs; slowest plan to read and lint: ${slowest.file}, ${slowest.ms.toFixed(0)} ms`);
for (const violation of violations) print(violation);
print(`${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;

function print(line) {
  process.stdout.write(`${line}\n`);
}

function printTable(title, names, columns, heads = used) {
  const rows = names.map((name) => [name, ...heads.map((head) => String(columns.get(head).get(name) ?? 0))]);
  const all = [[title, ...heads, "all"], ...rows.map((row) => [...row, String(sum(row.slice(1), Number))])];
  if (values.table) {
    all.splice(1, 0, ["---", ...heads.map(() => "---:"), "---:"]);
    for (const row of all) print(`| ${row.join(" | ")} |`);
  } else {
    const widths = all[0].map((_, column) => Math.max(...all.map((row) => [...row[column]].length)));
    for (const row of all) print(row.map((cell, column) => cell.padEnd(widths[column])).join("  "));
  }
  print("");
}

function tryPlan(file, text) {
  const started = performance.now();
  const plan = readPlan(text);
  const problems = lintPlan(plan, { text });
  const ms = performance.now() - started;
  if (ms > slowest.ms) slowest = { ms, file };
  const lines = text.split(/\r\n|\n|\r/).length;
  if (problems.some(({ line }) => !(line >= 1 && line <= lines))) violations.push(`${file}: problem without a line`);
  const dialect = plan.tasks.length > 0 ? plan.dialect : "no task";
  const count = counts.get(dialect);
  const facts = {
    ...{ text, plan: { isOne: true }, tasks: plan.tasks, phases: plan.phases.map(({ title }) => title) },
    chunks: chunksOf(text),
  };
  for (const [name, of] of contents) add(count, name, Number(of(facts)));
  for (const { rule } of problems) add(findings.get(dialect), rule, 1);
  const group = file.includes(sep) ? file.slice(0, file.lastIndexOf(sep)) : ".";
  if (!folders.has(dialect)) folders.set(dialect, new Map());
  add(folders.get(dialect), group, 1);
  if (values.edits) tryEdits(file, text, count);
}

function chunksOf(text) {
  let at = 0;
  return openPlan(text).chunks.map((chunk, index) => {
    const plain = text[at] === "-" ? readPlainChunk(text, at) : readTextChunk(text, at);
    at += chunk.text.length;
    const isPreamble = index === 0 && /^\uFEFF?---/.test(chunk.text) && chunk.tasks.length === 0;
    return { length: chunk.text.length, byTree: !isPreamble && plain?.text !== chunk.text };
  });
}

function toolOf(file) {
  const names = file.split(sep).map((name) => name.replace(/(?:-?\d+)?(?:\.md)?$/, ""));
  const tool = names.find((name) => name !== "" && name !== "later" && name !== "more");
  return { speckit: "spec-kit", "gsd-plan": "gsd" }[tool] ?? tool;
}

function isLog(file) {
  return file.split(sep).includes(values.logs) || toolOf(file) === values.logs;
}

async function runPlan(file, path) {
  const tool = toolOf(file);
  if (!runs.has(tool)) runs.set(tool, new Map());
  const count = (name, number) => add(runs.get(tool), name, number);
  await tryRuns(path, count, (violation) => violations.push(`${file}: ${violation}`));
}

function tryEdits(file, text, count) {
  const document = openPlan(text);
  const { tasks } = document.plan;
  const ids = tasks.map(({ id }) => id);
  for (const task of tasks) {
    const at = `${file}:${task.line} ${task.id}`;
    if (ids.indexOf(task.id) !== ids.lastIndexOf(task.id)) {
      add(count, "duplicate ids", 1);
      continue;
    }
    tryTick(at, document, task, count);
    tryInsert(at, document, task, count);
  }
}

function tryTick(at, document, task, count) {
  const { text } = document;
  const { box, boxes = [box] } = task;
  const isTick = (mark) => "xX".includes(mark);
  const mark = task.done ? " " : "x";
  const wanted = boxes.reduce(
    (all, at) => (isTick(text[at]) === task.done ? all.slice(0, at) + mark + all.slice(at + 1) : all),
    text,
  );
  if (tickEdits(document, task.id, !task.done).reduce(applyEdit, document).text !== wanted) {
    violations.push(`${at}: a tick changes more than its boxes`);
  }
  add(count, "ticks", 1);
}

function tryInsert(at, document, task, count) {
  const fix = {
    id: `${task.id}.901`,
    fixOf: task.id,
    summary: "File not found: src/parser.ts",
    error: "File not found: src/parser.ts\n- [x] 9.9 done",
    attemptedFix: "Checked alternate paths",
    doneWhen: 'Error "File not found: src/parser.ts" no longer occurs',
    files: ".",
    verify: "echo 'Verify manually'",
    commit: `fix(recovery): address missing file from task ${task.id}`,
  };
  let edit;
  try {
    edit = fixEdit(document, fix);
  } catch (error) {
    if (error.code !== "unsafe-insert") throw error;
    add(count, "fixes refused", 1);
    print(`${at}: ${error.message}`);
    return;
  }
  const { text, plan } = document;
  const after = applyEdit(document, edit).text;
  const read = readPlan(after).tasks;
  const index = read.findIndex(({ id }) => id === fix.id);
  const rest = read.toSpliced(index, 1);
  const same = rest.every(({ id, title, done, parent, phase }, other) => {
    const was = plan.tasks[other];
    if (was === undefined || parent !== was.parent || phase !== was.phase) return false;
    return id === was.id && title === was.title && done === was.done;
  });
  if (read.length !== plan.tasks.length + 1 || !same || read[index]?.fixOf !== task.id || read[index]?.done !== false) {
    violations.push(`${at}: an insertion changes other parts of the plan`);
  }
  if (`${after.slice(0, edit.start)}${after.slice(edit.start + edit.text.length)}` !== text) {
    violations.push(`${at}: an insertion changes other bytes`);
  }
  const position = plan.tasks.indexOf(task);
  if (plan.tasks.slice(position + 1, index).some(({ start, fixOf }) => start > task.end && fixOf === null)) {
    violations.push(`${at}: inserted after another task`);
  }
  add(count, "fixes inserted", 1);
}

function tryAppends(file, text) {
  const completed = { task: "9.901", title: "Add the parser", commit: null };
  const history = { task: "9.901", fixes: ["9.901.1"], final: "PASS" };
  for (const [append, entry] of [
    [appendCompleted, completed],
    [appendFixHistory, history],
  ]) {
    const after = append(text, entry);
    if (append(after, entry) !== after) violations.push(`${file}: a line is written twice`);
    let start = 0;
    while (start < text.length && text[start] === after[start]) start += 1;
    if (!after.endsWith(text.slice(start))) violations.push(`${file}: an appended line changes another`);
  }
  appended += 1;
}

function add(count, name, number) {
  count.set(name, (count.get(name) ?? 0) + number);
}

function sum(all, of) {
  return all.reduce((total, one) => total + of(one), 0);
}

function marked(tasks, pattern) {
  return tasks.filter(({ markers }) => markers.some((marker) => pattern.test(marker))).length;
}

function hasBox(text) {
  return /^[ \t]*[-*+] \[[ xX]\]/m.test(text);
}

function fencesIn(text, { start, end }) {
  return text.slice(start, end).match(/^[ \t]*(`{3,}|~{3,})[\s\S]*?^[ \t]*\1/gm) ?? [];
}

function checksIn(text, task, tasks) {
  if (task.parent !== null) return 0;
  const inside = tasks.filter(({ start, end }) => start >= task.start && end <= task.end).length;
  const block = fencesIn(text, task).reduce((rest, fence) => rest.replace(fence, ""), text.slice(task.start, task.end));
  return Math.max(0, (block.match(/^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[[ xX~-]\]/gm) ?? []).length - inside);
}

function markdownBelow(root) {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md") && !/^(?:README|SOURCES)\.md$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
