import { join, resolve } from "node:path";
import { again, edit, planOf, remove, run, type Story, task, two, write } from "../story.ts";

const failed = (error: string): string => `broke '${error}'`;
const three = planOf(task("1.1"), task("1.2"), task("1.3"));
const dies = resolve(import.meta.dirname, "../die-before-change.mjs");

export const starts: readonly Story[] = [
  {
    name: "plan-ticked-between-starts",
    plan: three,
    does: { "1.2": failed("boom") },
    steps: [run("--max-task-iterations 1"), edit("spec/tasks.md", "[ ] 1.2", "[x] 1.2"), again()],
  },
  {
    name: "plan-cleared-between-starts",
    plan: three,
    does: { "1.3#1": failed("boom") },
    steps: [
      run("--max-task-iterations 1"),
      edit("spec/tasks.md", "[x] 1.1", "[ ] 1.1"),
      again(),
      again("--max-task-iterations 2"),
    ],
  },
  {
    name: "box-cleared-of-a-green-task",
    plan: three,
    does: { "1.3#1": failed("boom") },
    steps: [
      run("--max-task-iterations 1"),
      edit("spec/tasks.md", "[x] 1.1", "[ ] 1.1"),
      again("--max-task-iterations 2"),
    ],
  },
  {
    name: "tasks-added-and-removed-between-starts",
    plan: three,
    does: { "1.2#1": failed("boom") },
    steps: [
      run("--max-task-iterations 1"),
      edit("spec/tasks.md", task("1.2"), `${task("1.2a", "Make it otherwise")}\n${task("1.2b", "Make more of it")}`),
      again(),
      again("--accept any"),
    ],
  },
  {
    name: "task-rewritten-between-starts",
    plan: three,
    does: { "1.2#1": failed("boom"), "1.2": "told 'Make it easy'; work" },
    steps: [run("--max-task-iterations 1"), edit("spec/tasks.md", "1.2 Make 1.2", "1.2 Make it easy"), again()],
  },
  {
    name: "verify-changed-between-starts",
    plan: three,
    does: { "1.2#1": failed("boom") },
    steps: [
      run("--max-task-iterations 1"),
      edit("spec/tasks.md", "`test -e made/1.2`", "`test -d made`"),
      again(),
      again("--accept any"),
    ],
  },
  {
    name: "mended-by-hand",
    plan: two,
    does: { "1.1": "made" },
    steps: [run("--max-task-iterations 1"), again(), write("made/1.1"), again()],
  },
  {
    name: "fix-ticked-by-hand",
    plan: two,
    does: { "1.1#1": failed("boom"), "1.1.1": failed("bang") },
    steps: [
      run("--recovery-mode --max-fix-depth 1"),
      edit("spec/tasks.md", "[ ] 1.1.1", "[x] 1.1.1"),
      again(),
      "status spec",
    ],
  },
  {
    name: "remedies-changed-between-starts",
    plan: two,
    does: { "1.1#1": failed("one"), "1.1#2": failed("two"), "1.1.1": "mend 1.1" },
    steps: [run("--max-task-iterations 2"), again("--recovery-mode"), again()],
  },
  {
    name: "new-run-in-the-middle",
    plan: three,
    does: { "1.2#1": failed("boom") },
    steps: [
      run("--max-task-iterations 1"),
      run("--new-run --max-task-iterations 1"),
      "status spec --run 1",
      "status spec",
      "clean spec",
    ],
  },
  {
    name: "reset",
    plan: two,
    files: { "spec/.progress.md": "# Progress\n\n## Learnings\n- keep this\n" },
    does: { "1.1#1": failed("boom"), "1.1.1": "mend 1.1", "1.2": failed("bang"), "1.2.1": "broke 'crash'" },
    steps: [run("--recovery-mode --max-fix-depth 1"), "reset spec", "reset spec --yes", "status spec"],
  },
  {
    name: "run-data-removed",
    plan: two,
    does: { "1.2#1": failed("boom") },
    steps: [run("--max-task-iterations 1"), remove("spec/.fixpoint"), again(), again("--accept any"), "status spec"],
  },
  {
    name: "interrupted-by-ctrl-c",
    plan: three,
    does: { "1.2#1": "[ -e go ] || { : >started; sleep 60; }; work" },
    steps: [{ start: run(), at: "started", meanwhile: [{ signal: "SIGINT" }] }, write("go"), "status spec", again()],
  },
  {
    name: "killed-while-an-executor-works",
    plan: three,
    does: { "1.2#1": "[ -e go ] || { : >started; sleep 60; }; work" },
    steps: [{ start: run(), at: "started", meanwhile: [{ signal: "SIGKILL" }] }, write("go"), "status spec", again()],
  },
  {
    name: "killed-between-verdict-and-tick",
    plan: three,
    steps: [
      {
        start: run(),
        at: "dies",
        meanwhile: [],
        env: { NODE_OPTIONS: `--import ${dies}`, DIES_BEFORE: join("spec", "tasks.md"), DIES_AT: "2" },
      },
      again(),
      "why 1.2 spec",
    ],
  },
  {
    name: "killed-between-fix-and-its-insertion",
    plan: two,
    does: { "1.1#1": failed("boom"), "1.1.1": "mend 1.1" },
    steps: [
      {
        start: run("--recovery-mode"),
        at: "dies",
        meanwhile: [],
        env: { NODE_OPTIONS: `--import ${dies}`, DIES_BEFORE: join("spec", "tasks.md"), DIES_AT: "1" },
      },
      again(),
    ],
  },
  {
    name: "stopped-by-another-process",
    plan: three,
    does: { "1.2#1": "[ -e go ] || { : >started; sleep 60; }; work" },
    steps: [{ start: run(), at: "started", meanwhile: ["stop spec"] }, write("go"), "stop spec", "resume spec"],
  },
  {
    name: "paused-and-resumed-by-others",
    plan: three,
    does: { "1.1#1": ": >started; wait_for go; work" },
    steps: [
      {
        start: run(),
        at: "started",
        meanwhile: [
          "pause spec",
          write("go"),
          { awaits: "spec/tasks.md", text: "[x] 1.1" },
          "status spec",
          "resume spec",
        ],
      },
    ],
  },
  {
    name: "advised-while-it-works",
    plan: two,
    does: { "1.1#1": `: >started; wait_for go; ${failed("boom")}`, "1.1#2": "told 'use the other one'; work" },
    steps: [
      {
        start: run(),
        at: "started",
        meanwhile: ["say guidance 'use the other one' spec", "run spec --exec ./executor.sh", write("go")],
      },
    ],
  },
];
