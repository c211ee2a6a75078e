import { again, edit, run, type Story, two } from "../story.ts";

const failed = (error: string): string => `broke '${error}'`;

export const ladder: readonly Story[] = [
  {
    name: "pivot-research-checkpoint",
    plan: two,
    does: {
      "1.1#1": `echo 'Trying: the first way'; ${failed("boom")}`,
      "1.1#2": `echo 'Trying: another way'; ${failed("boom")}`,
      "1.1#3": `told 'PIVOT'; told 'the first way'; echo 'Trying: a third way'; ${failed("boom")}`,
      "1.1#4": `told 'RESEARCH'; echo 'Found: it rains'; ${failed("boom")}`,
      "1.1#5": "told 'use an umbrella'; told 'it rains'; work",
    },
    steps: [
      run("--escalation --stuck-after-same-errors 2 --max-pivot-attempts 1 --max-research-attempts 1"),
      "why 1.1 spec",
      again(),
      "resume spec --guidance 'use an umbrella'",
    ],
  },
  {
    name: "fix-then-pivot-then-green",
    plan: two,
    does: { "1.1#1": failed("one"), "1.1#2": failed("two"), "1.1.1#1": failed("one") },
    steps: [run("--recovery-mode --escalation --max-fix-tasks 1"), "status spec"],
  },
  {
    name: "checkpoint-answered-by-hand",
    plan: two,
    does: { "1.1": `echo "I don't know how to do this"; ${failed("boom")}` },
    steps: [
      run("--escalation --max-pivot-attempts 1 --max-research-attempts 0"),
      edit("spec/tasks.md", "[ ] 1.1", "[x] 1.1"),
      again(),
    ],
  },
  {
    name: "repair-retry",
    plan: two,
    does: {
      "1.1#1": failed("boom"),
      "1.1#1/askOperator": "told 'boom'; echo 'RETRY: install the lexer first'",
      "1.1#2": "told 'install the lexer first'; work",
    },
    steps: [run("--repair"), "why 1.1 spec"],
  },
  {
    name: "repair-budget-used-up",
    plan: two,
    does: {
      "1.1": 'broke "boom $FIXPOINT_ATTEMPT"',
      "1.1#1/askOperator": "echo 'RETRY: once more'",
      "1.1#2/askOperator": "echo 'RETRY: once again'",
    },
    steps: [run("--repair"), "resume spec --decision skip"],
  },
  {
    name: "repair-decompose",
    plan: two,
    does: {
      "1.1#1": failed("too much"),
      "1.1#1/askOperator": "echo 'DECOMPOSE: make the left half of it | make the right half of it'",
      "1.1~1": "mkdir -p made; made",
      "1.1~2#1": failed("no right"),
      "1.1~2#1/askOperator": "echo 'RETRY: look to the right'",
      "1.1~2#2": "mend 1.1",
    },
    steps: [run("--repair"), "why 1.1 spec"],
  },
  {
    name: "repair-prune",
    plan: two,
    does: { "1.1": failed("boom"), "1.1#1/askOperator": "echo 'PRUNE: the server is not reachable'" },
    steps: [run("--repair"), "status spec", again(), edit("spec/tasks.md", "[ ] 1.1", "[x] 1.1"), again()],
  },
  {
    name: "repair-escalate-then-retry",
    plan: two,
    does: {
      "1.1#1": failed("boom"),
      "1.1#1/askOperator": "echo 'ESCALATE: two ways of reading | may the format change?'",
    },
    steps: [run("--repair"), again(), "status spec", "resume spec --decision retry"],
  },
  {
    name: "repair-malformed",
    plan: two,
    does: {
      "1.1#1": failed("boom"),
      "1.1#1/askOperator": "echo 'RETRY: one'; echo 'PRUNE: two'",
      "1.1#1/askAgain": "echo 'I would rather not'",
    },
    steps: [run("--repair"), "resume spec --decision stop", again()],
  },
  {
    name: "fix-then-repair",
    plan: two,
    does: {
      "1.1": failed("boom"),
      "1.1.1": failed("bang"),
      "1.1.1#1/askOperator": "echo 'PRUNE: it makes no sense'",
    },
    steps: [run("--recovery-mode --repair --max-fix-depth 1"), "resume spec --decision retry"],
  },
  {
    name: "part-skipped",
    plan: two,
    does: {
      "1.1#1": failed("too much"),
      "1.1#1/askOperator": "echo 'DECOMPOSE: make the left half of it | make the right half of it'",
      "1.1~1": failed("no left"),
      "1.1~1#1/askOperator": "echo 'ESCALATE: all of it | is it needed?'",
      "1.1~2": "mend 1.1",
    },
    steps: [run("--repair"), "resume spec --decision skip"],
  },
  {
    name: "executor-asks-then-guidance",
    plan: two,
    does: {
      "1.1#1": "echo 'BLOCKED: Skip duplicate rows, or stop?'; made",
      "1.1#2": "told 'skip them'; work",
    },
    steps: [run(), again(), "status spec", "resume spec --guidance 'skip them'", "why 1.1 spec"],
  },
  {
    name: "executor-asks-then-skipped",
    plan: two,
    does: { "1.1": "echo 'BLOCKED: Which one?'" },
    steps: [run(), "resume spec --decision skip", again(), "resume spec --decision retry"],
  },
];
