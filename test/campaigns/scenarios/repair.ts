import { planOf } from "./plan-of.ts";
import type { Scenario } from "./scenario.ts";

const flags = ["--repair"];
const keyless = "case $(cat) in *'the other key'*) ;; *) fails 'no key' ;; esac\nmade";
const pruned = "[ $id = 1.1 ] && ! has mended && fails 'no key'\nmade";
const prune = "echo 'PRUNE: The server is not reachable'";
const escalate = "echo 'ESCALATE: one key | Which key is it?'";

export const repairs: readonly Scenario[] = [
  {
    name: "repair: RETRY",
    plan: planOf("1.1 Needs a word"),
    executor: keyless,
    operator: "echo 'RETRY: take the other key'",
    flags,
  },
  {
    name: "repair: DECOMPOSE",
    plan: planOf("1.1 Is done in parts"),
    executor: "case $id in 1.1) fails 'too much' ;; 1.1~2) put 1.1 ;; esac\nmade",
    operator: "echo 'DECOMPOSE: write the first table | write the second table'",
    flags,
  },
  {
    name: "repair: PRUNE",
    plan: planOf("1.1 Cannot be done", "1.2 Works"),
    executor: pruned,
    operator: prune,
    flags,
    starts: [{ exitCode: 3 }, { exitCode: 3 }],
  },
  {
    name: "repair: PRUNE, and taken up again",
    plan: planOf("1.1 Cannot be done yet"),
    executor: pruned,
    operator: prune,
    flags,
    starts: [
      { exitCode: 3 },
      { words: ["resume", "--decision", "retry"], once: true, exitCode: 0, files: { "work/mended": "" } },
    ],
  },
  {
    name: "repair: ESCALATE, and tried again",
    plan: planOf("1.1 Takes a decision"),
    executor: pruned,
    operator: escalate,
    flags,
    starts: [
      { exitCode: 3 },
      { words: ["resume", "--decision", "retry"], once: true, exitCode: 0, files: { "work/mended": "" } },
    ],
  },
  {
    name: "repair: ESCALATE, and left out",
    plan: planOf("1.1 Takes a decision", "1.2 Works"),
    executor: pruned,
    operator: escalate,
    flags,
    starts: [{ exitCode: 3 }, { words: ["resume", "--decision", "skip"], once: true, exitCode: 3 }],
  },
  {
    name: "repair: ESCALATE, and stopped",
    plan: planOf("1.1 Takes a decision", "1.2 Works"),
    executor: pruned,
    operator: escalate,
    flags,
    starts: [{ exitCode: 3 }, { words: ["resume", "--decision", "stop"], once: true, exitCode: 3 }],
  },
  {
    name: "repair: answers that cannot be followed",
    plan: planOf("1.1 Needs a word"),
    executor: pruned,
    operator: "echo 'Try harder'",
    flags,
    starts: [{ exitCode: 3 }],
  },
  {
    name: "repair: the budget is used up",
    plan: planOf("1.1 Needs a word"),
    executor: pruned,
    operator: "echo 'RETRY: once more'",
    flags: [...flags, "--repair-budget", "1"],
    starts: [{ exitCode: 3 }],
  },
  {
    name: "repair: behind a fix",
    plan: planOf("1.1 Needs a fix and a word"),
    executor: "[ $id = 1.1 ] && case $(cat) in *'the other key'*) ;; *) fails 'no key' ;; esac\nmade",
    operator: "echo 'RETRY: take the other key'",
    flags: [...flags, "--recovery-mode", "--max-fix-tasks", "1"],
  },
];
