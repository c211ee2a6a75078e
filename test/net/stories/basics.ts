import { again, planOf, run, type Story, task, two, write } from "../story.ts";

const failed = (error: string): string => `broke '${error}'`;

const tap = (...checks: readonly string[]): string =>
  `printf 'TAP version 13\\n1..3\\n${checks.map((check, at) => `${check} ${at + 1} - ${"abc"[at]}\\n`).join("")}' >report`;

export const basics: readonly Story[] = [
  {
    name: "clean-plan",
    plan: two,
    steps: [run(), "status spec", "why 1.1 spec", "logs 1.2 spec", again(), run("--new-run"), "replay spec"],
  },
  {
    name: "retry-then-green",
    plan: two,
    does: { "1.1#1": failed("the disk is missing"), "1.1#2": "told 'the disk is missing'; work" },
    steps: [run()],
  },
  {
    name: "retries-used-up-then-raised",
    plan: two,
    does: { "1.2#1": failed("one"), "1.2#2": failed("two"), "1.2#3": failed("three") },
    steps: [
      run("--max-task-iterations 2"),
      again(),
      again("--max-task-iterations 3"),
      again("--max-task-iterations 4"),
    ],
  },
  {
    name: "fix-then-green",
    plan: two,
    does: { "1.1#1": failed("the disk is missing"), "1.1.1": "told 'the disk is missing'; mend 1.1" },
    steps: [
      run("--recovery-mode"),
      "why 1.1 spec",
      "logs 1.1 spec --attempt 1",
      "lint spec",
      "export spec --format md",
    ],
  },
  {
    name: "verify-fails-then-fixed",
    plan: planOf(task("1.1", "Make it", "cat made/1.1 && grep -q right made/1.1"), task("1.2")),
    does: {
      "1.1#1": "mkdir -p made; echo wrong >made/1.1; made",
      "1.1.1": "echo right >made/1.1; mend 1.1",
      "1.1#2": "made",
    },
    steps: [run("--recovery-mode"), "logs 1.1 spec --attempt 1"],
  },
  {
    name: "fix-below-fix",
    plan: two,
    does: { "1.1#1": failed("boom"), "1.1.1#1": failed("bang"), "1.1.1.1#1": failed("crash") },
    steps: [run("--recovery-mode"), "status spec", "why 1.1.1 spec"],
  },
  {
    name: "fixes-of-a-task-used-up",
    plan: two,
    does: { "1.1": failed("boom"), "1.1.1": failed("boom"), "1.1.2": failed("boom") },
    steps: [
      run("--recovery-mode --max-fix-tasks 2"),
      "why 1.1 spec",
      again(),
      write(
        "executor.sh",
        '#!/bin/sh\ncat >/dev/null\necho "$FIXPOINT_KEY" >>delegations.log\nmkdir -p made\ntouch made/$FIXPOINT_TASK_ID made/1.1\necho TASK_COMPLETE\n',
      ),
      again("--max-fix-tasks 3"),
    ],
  },
  {
    name: "depth-of-fixes-used-up",
    plan: two,
    does: { "1.1": failed("boom"), "1.1.1": failed("bang"), "1.1.1.1": failed("crash") },
    steps: [run("--recovery-mode --max-fix-depth 2"), again("--max-fix-depth 1"), "why 1.1.1.1 spec"],
  },
  {
    name: "fixes-of-a-root-used-up",
    plan: two,
    does: { "1.1": failed("boom"), "1.1.1": failed("bang"), "1.1.1.1": failed("crash"), "1.1.1.1.1": failed("smash") },
    steps: [run("--recovery-mode --max-fix-total 2")],
  },
  {
    name: "fix-superseded",
    plan: two,
    does: { "1.1#1": failed("boom"), "1.1.1": failed("boom"), "1.1.2": "mend 1.1" },
    steps: [run("--recovery-mode"), "status spec"],
  },
  {
    name: "improving-failures",
    plan: planOf(task("1.1", "Make all pass", "cat report && ! grep -q '^not ok' report"), task("1.2")),
    does: {
      "1.1#1": `${tap("not ok", "not ok", "not ok")}; made`,
      "1.1.1": `${tap("ok", "not ok", "not ok")}; made`,
      "1.1.2": `${tap("ok", "ok", "not ok")}; made`,
      "1.1.3": `${tap("ok", "ok", "ok")}; made`,
      "1.1": "made",
    },
    steps: [run("--recovery-mode --max-fix-tasks 1"), "why 1.1 spec"],
  },
  {
    name: "limit-of-the-whole-run",
    plan: two,
    steps: [run("--max-global-iterations 1"), again(), again("--max-global-iterations 2")],
  },
  {
    name: "cleanup-behind-a-limit",
    plan: planOf(
      task("1.1"),
      task("VE1 [VERIFY]", "E2E start"),
      task("VE2 [VERIFY]", "E2E check"),
      task("VE3 [VERIFY]", "E2E cleanup"),
    ),
    does: { VE2: "broke 'no answer'; echo VERIFICATION_FAIL", "VE2.1": "broke 'no port'" },
    steps: [run("--max-fix-tasks 1 --max-fix-depth 1"), "status spec"],
  },
];
