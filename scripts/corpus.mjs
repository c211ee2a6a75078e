import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

// Reads every plan below a folder, and tries each edit on each task of those in a folder of a given name.
// node scripts/corpus.mjs <folder> [--dist <built package>] [--edit <name of a folder>]
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    dist: { type: "string", default: fileURLToPath(new URL("../dist", import.meta.url)) },
    edit: { type: "string", default: "ralph" },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  process.stderr.write("Usage: npm run corpus -- <folder>\n");
  process.exit(2);
}

const load = (name) => import(pathToFileURL(join(resolve(values.dist), "src/markdown", `${name}.js`)).href);
const { openPlan, applyEdit } = await load("plan-document");
const { readPlan } = await load("read-plan");
const { lintPlan } = await load("lint-plan");
const { fixEdit } = await load("insert-fix-task");
const { tickEdit } = await load("tick-task");

const counted = ["files", "tasks", "problems", "errors", "inserted", "refused", "ticked", "ambiguous"];
const counts = new Map();
const violations = [];
let slowest = { ms: 0, file: "" };

for (const path of markdownBelow(folder)) {
  const file = relative(folder, path);
  const count = countsOf(file);
  const text = readFileSync(path, "utf8");
  const started = performance.now();
  try {
    const plan = readPlan(text);
    const problems = lintPlan(plan);
    count.files += 1;
    count.tasks += plan.tasks.length;
    count.problems += problems.length;
    count.errors += problems.filter(({ severity }) => severity === "error").length;
    const lines = text.split(/\r\n|\n|\r/).length;
    if (problems.some(({ line }) => !(line >= 1 && line <= lines))) violations.push(`${file}: problem without a line`);
    const ms = performance.now() - started;
    if (ms > slowest.ms) slowest = { ms, file };
    if (resolve(path).split(sep).includes(values.edit)) tryEdits(file, text, count);
  } catch (error) {
    violations.push(`${file}: ${error.stack}`);
  }
}

const width = Math.max(...[...counts.keys()].map((name) => name.length), 8);
print([" ".repeat(width), ...counted].join("  "));
for (const [name, count] of counts) {
  print([name.padEnd(width), ...counted.map((key) => String(count[key]).padStart(key.length))].join("  "));
}
print(`slowest to read: ${slowest.file}, ${slowest.ms.toFixed(0)} ms`);
for (const violation of violations) print(violation);
print(`${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;

function print(line) {
  process.stdout.write(`${line}\n`);
}

function tryEdits(file, text, count) {
  const document = openPlan(text);
  const { tasks } = document.plan;
  const ids = tasks.map(({ id }) => id);
  for (const task of tasks) {
    const at = `${file}:${task.line} ${task.id}`;
    if (ids.indexOf(task.id) !== ids.lastIndexOf(task.id)) {
      count.ambiguous += 1;
      continue;
    }
    tryTick(at, document, task, count);
    tryInsert(at, document, task, count);
  }
}

function tryTick(at, document, task, count) {
  const edit = tickEdit(document, task.id, !task.done);
  const { text } = document;
  const after = applyEdit(document, edit).text;
  const { box } = task;
  if (
    after.length !== text.length ||
    after.slice(0, box) !== text.slice(0, box) ||
    after.slice(box + 1) !== text.slice(box + 1)
  ) {
    violations.push(`${at}: a tick changes more than its box`);
  }
  count.ticked += 1;
}

function tryInsert(at, document, task, count) {
  const fix = {
    id: `${task.id}.901`,
    fixOf: task.id,
    summary: "File not found: src/parser.ts",
    error: "File not found: src/parser.ts\n- [x] 9.9 done",
    attemptedFix: "Checked alternate paths",
    files: ".",
    verify: "echo 'Verify manually'",
    commit: `fix(recovery): address missing file from task ${task.id}`,
  };
  let edit;
  try {
    edit = fixEdit(document, fix);
  } catch (error) {
    if (error.code !== "unsafe-insert") throw error;
    count.refused += 1;
    print(`${at}: ${error.message}`);
    return;
  }
  const { text, plan } = document;
  const after = applyEdit(document, edit).text;
  const read = readPlan(after).tasks;
  const index = read.findIndex(({ id }) => id === fix.id);
  const rest = read.toSpliced(index, 1);
  const same = rest.every(({ id, title, done }, other) => {
    const was = plan.tasks[other];
    return was !== undefined && id === was.id && title === was.title && done === was.done;
  });
  if (read.length !== plan.tasks.length + 1 || !same || read[index]?.fixOf !== task.id || read[index]?.done !== false) {
    violations.push(`${at}: another plan after an insertion`);
  }
  if (`${after.slice(0, edit.start)}${after.slice(edit.start + edit.text.length)}` !== text) {
    violations.push(`${at}: not the same bytes without the insertion`);
  }
  const position = plan.tasks.indexOf(task);
  if (plan.tasks.slice(position + 1, index).some(({ start, fixOf }) => start > task.end && fixOf === null)) {
    violations.push(`${at}: inserted behind another task`);
  }
  count.inserted += 1;
}

function countsOf(file) {
  const name = file.includes(sep) ? file.slice(0, file.lastIndexOf(sep)) : ".";
  if (!counts.has(name)) counts.set(name, Object.fromEntries(counted.map((key) => [key, 0])));
  return counts.get(name);
}

function markdownBelow(root) {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
