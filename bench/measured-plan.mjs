// Reads and edits a plan with one of several editors, after a warm-up, and prints the cost.
import { closeSync, fsyncSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import { fileStore } from "../dist/src/adapters/documents/file-store.js";
import { applyEdit, openPlan } from "../dist/src/markdown/document/plan-document.js";
import { fixEdit } from "../dist/src/markdown/insert-fix-task.js";
import { tickEdits } from "../dist/src/markdown/tick-task.js";
import { scanPlan } from "./scanned-plan.mjs";
import { median } from "./table.mjs";
import { planOf } from "./workload.mjs";

const failEvery = 10;
const longestMs = 30_000;
const fileEdits = 50;

const fixOf = (id) => ({
  id: `${id}.1`,
  fixOf: id,
  summary: "File not found: src/unit.ts",
  error: "File not found: src/unit.ts",
  attemptedFix: "Looked in other folders",
  files: ".",
  doneWhen: 'Error "File not found: src/unit.ts" no longer occurs',
  verify: "npm test",
  commit: `fix(unit): address missing file from task ${id}`,
});

const blockOf = ({ id, fixOf: task, error, attemptedFix, verify, commit }) =>
  `- [ ] ${id} [FIX ${task}] Fix: ${error}\n  - **Do**: Address the error: ${error}\n` +
  `    1. Analyze the failure: ${attemptedFix}\n    2. Review related code in Files list\n` +
  `    3. Implement fix for: ${error}\n  - **Files**: src/unit.ts\n  - **Done when**: Error "${error}" no longer occurs\n` +
  `  - **Verify**: ${verify}\n  - **Commit**: \`${commit}\`\n\n`;

const subjects = {
  full: {
    read: (text) => ({ text, tree: parse(text) }),
    tick: ({ text, tree }, id) => {
      const at = text.indexOf("[", placeOf(tree, text, id).start.offset) + 1;
      return subjects.full.read(`${text.slice(0, at)}x${text.slice(at + 1)}`);
    },
    insert: ({ text, tree }, fix) => {
      const at = text.indexOf("\n\n", placeOf(tree, text, fix.fixOf).end.offset) + 2;
      return subjects.full.read(`${text.slice(0, at)}${blockOf(fix)}${text.slice(at)}`);
    },
    textOf: ({ text }) => text,
  },
  fixpoint: {
    // Access the tasks, because their positions are computed only on access.
    read: (text) => {
      const document = openPlan(text);
      if (document.plan.tasks.length === 0) throw new Error("No tasks");
      return document;
    },
    tick: (document, id) => tickEdits(document, id, true).reduce(applyEdit, document),
    insert: (document, fix) => fixEdit(document, fix).after,
    textOf: ({ text }) => text,
  },
  scanner: {
    read: (text) => {
      const plan = scanPlan(text);
      return { plan, byId: new Map(plan.tasks.map((task) => [task.id, task])) };
    },
    tick: (scanned, id) => {
      scanned.plan.tick(scanned.byId.get(id));
      return scanned;
    },
    insert: (scanned, fix) => {
      scanned.byId.set(fix.id, scanned.plan.insert(scanned.byId.get(fix.fixOf), fix, blockOf(fix)));
      return scanned;
    },
    textOf: ({ plan }) => plan.content().toString("latin1"),
  },
};

function parse(text) {
  return fromMarkdown(text, { extensions: [gfmTaskListItem()], mdastExtensions: [gfmTaskListItemFromMarkdown()] });
}

function placeOf(tree, text, id) {
  for (const { type, children } of tree.children) {
    const item =
      type === "list" && children.find(({ position }) => text.startsWith(`${id} `, position.start.offset + 6));
    if (item) return item.position;
  }
  throw new Error(`No task ${id}`);
}

const textOf = (tasks) => `${planOf(tasks)}\n`;

const idsOf = (text) => Array.from(text.matchAll(/^- \[ \] (\S+)/gm), ([, id]) => id);

function walk(subject, text, watch = () => {}) {
  let plan = subject.read(text);
  watch(plan);
  const step = (next) => {
    plan = next;
    watch(plan);
  };
  for (const [index, id] of idsOf(text).entries()) {
    if ((index + 1) % failEvery === 0) {
      const fix = fixOf(id);
      step(subject.insert(plan, fix));
      step(subject.tick(plan, fix.id));
    }
    step(subject.tick(plan, id));
  }
  return subject.textOf(plan);
}

const readingOf = (chunk) => chunk.tasks[0]?.fields ?? chunk;

function readPerCharacter(text) {
  const known = new WeakSet();
  let read = 0;
  const end = walk(subjects.fixpoint, text, ({ chunks }) => {
    for (const chunk of chunks) {
      if (known.has(readingOf(chunk))) continue;
      known.add(readingOf(chunk));
      read += chunk.text.length;
    }
  });
  return read / end.length;
}

function time(run) {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function timeEdits(subject, text, edits, edit) {
  const ids = idsOf(text);
  const count = Math.min(edits, ids.length);
  const plan = subject.read(text);
  return median(
    Array.from({ length: count }, (_, at) => {
      const id = ids[Math.floor((at * ids.length) / count)];
      return time(() => edit(plan, id));
    }),
  );
}

function measure({ subject: name, tasks }) {
  const subject = subjects[name];
  const text = textOf(tasks);
  const readMs = time(() => subject.read(text));
  // The editor `full` parses the whole plan at each edit, so an edit takes as long as a parse.
  const steps = tasks + 2 * Math.floor(tasks / failEvery);
  const guess = (count) => (name === "full" && readMs * count > longestMs ? readMs * count : null);
  const edits = name === "full" ? 3 : 200;
  const editMs = guess(edits);
  const runMs = guess(steps);
  return {
    readMs,
    insertMs: editMs === null ? timeEdits(subject, text, edits, (plan, id) => subject.insert(plan, fixOf(id))) : readMs,
    tickMs: editMs === null ? timeEdits(subject, text, edits, (plan, id) => subject.tick(plan, id)) : readMs,
    runMs: runMs ?? time(() => walk(subject, text)),
    estimated: [...(editMs === null ? [] : ["insertMs", "tickMs"]), ...(runMs === null ? [] : ["runMs"])],
    ...(name === "fixpoint" && { readPerCharacter: readPerCharacter(text) }),
  };
}

async function measureFile(text) {
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-bench-"));
  try {
    writeFileSync(join(folder, "tasks.md"), text);
    const store = fileStore({ folder, dataFolder: folder });
    await store.read();
    const ids = idsOf(text);
    await store.tick(ids.at(-1), true);
    const places = Array.from({ length: fileEdits }, (_, at) => ids[Math.floor((at * ids.length) / fileEdits)]);
    const timed = async (edit) => {
      const times = [];
      for (const [at, id] of places.entries()) {
        const start = performance.now();
        await edit(id, at);
        times.push(performance.now() - start);
      }
      return median(times);
    };
    return {
      tickFileMs: await timed((id, at) => store.tick(id, (at - places.indexOf(id)) % 2 === 0)),
      insertFileMs: await timed((id, at) => store.insert({ ...fixOf(id), id: `${id}.${at + 1}` })),
      rewriteMs: await timed(() => rewrite(folder, text)),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function rewrite(folder, text) {
  const path = join(folder, "rewritten.tmp");
  const file = openSync(path, "w");
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(path, join(folder, "rewritten.md"));
}

const job = JSON.parse(process.argv[2]);
const ends = new Set(
  Object.values(subjects).map((subject) =>
    walk(subject, textOf(20)).replaceAll(/ {2}- \*\*(?:Files|Verify)\*\*.*/g, ""),
  ),
);
if (ends.size > 1) throw new Error("The subjects do not write the same plan");
const figures = measure(job);
if (job.subject === "fixpoint") Object.assign(figures, await measureFile(textOf(job.tasks)));
process.stdout.write(JSON.stringify(figures));
