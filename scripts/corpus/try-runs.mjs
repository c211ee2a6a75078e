import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { boxesIn, judgeRun } from "./judge-run.mjs";
import { createRunner } from "./run-to-end.mjs";

const executors = [
  ["succeeds", null],
  ["fails, fix", "fix"],
  ["fails, retry", "retry"],
];

export const outcomesOfRuns = [
  ...["plans", "of them refused", "runs", "delegations", "failures", "fix tasks", "boxes ticked"],
  ...["left open: optional", "left open: deferred", "left open: person", "left open: criterion"],
  ...["proven", "checked", "unproven", "unverified"],
];

export async function createTries(load, program) {
  const run = await createRunner(load);
  const { readPlan } = await load("markdown/document/plan-document");
  const { lintPlan } = await load("markdown/lint-plan");

  return async function tryRuns(path, add, note) {
    const source = readFileSync(path, "utf8");
    const text = /^<task\b/m.test(source) ? fromElements(path, program) : source;
    add("plans", 1);
    const anew = withOpenBoxes(text);
    let isRun = false;
    for (const [state, plan] of [["", text], ...(anew === text ? [] : [["anew, ", anew]])]) {
      if (isRefused(plan)) continue;
      isRun = true;
      for (const [name, rung] of executors) {
        const seen = await run(plan, rung);
        count(seen, add);
        for (const violation of judgeRun(seen)) note(`${state}${name}: ${violation}`);
      }
    }
    if (!isRun) add("of them refused", 1);
  };

  function isRefused(text) {
    const plan = readPlan(text);
    const open = new Set(plan.tasks.flatMap(({ done, fields }) => (done ? [] : [fields.verify])));
    const isOpen = ({ line }) => plan.tasks.some((task) => task.line === line && open.has(task.fields.verify));
    return lintPlan(plan, { text }).some(
      (problem) => problem.severity === "error" || (problem.rule === "prose-verify" && isOpen(problem)),
    );
  }
}

function fromElements(path, program) {
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-corpus-"));
  try {
    const plan = join(folder, basename(path));
    copyFileSync(path, plan);
    execFileSync(process.execPath, [program, "init", "--from", plan], { cwd: folder, stdio: "pipe" });
    return readFileSync(join(folder, "tasks.md"), "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withOpenBoxes(text) {
  const lines = text.split(/(?<=\n)/);
  for (const { line, mark } of boxesIn(text)) {
    if ("xX".includes(mark)) lines[line - 1] = lines[line - 1].replace(/\[[xX]\]/, "[ ]");
  }
  return lines.join("");
}

function count({ before, after, delegations, failed, events, ended }, add) {
  const ticked = (text) => boxesIn(text).filter(({ mark }) => "xX".includes(mark)).length;
  const fixes = events.filter(({ type }) => type === "fix.inserted").length;
  add("runs", 1);
  add("delegations", delegations.length);
  add("failures", failed.size);
  add("fix tasks", fixes);
  add("boxes ticked", ticked(after) - ticked(before) - fixes);
  for (const { why } of ended.leftOpen ?? []) add(`left open: ${why}`, 1);
  for (const event of events) if (event.type === "task.passed") add(event.proof.kind, 1);
}
