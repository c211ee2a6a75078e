import { planOf, taskOf } from "./plan-of.ts";
import type { Scenario } from "./scenario.ts";

const interrupt = { INTERRUPTED: "yes" };
const interrupts = '[ -n "$INTERRUPTED" ] && { kill -INT $PPID; exec sleep 60; }\nmade';

export const resumes: readonly Scenario[] = [
  {
    name: "resume: after an interruption",
    plan: planOf("1.1 Is interrupted", "1.2 Works"),
    executor: interrupts,
    starts: [
      { exitCode: 130, env: interrupt },
      { words: ["resume"], exitCode: 0 },
    ],
  },
  {
    name: "resume: after an interruption of a batch",
    plan: planOf("1.1 [P] Is interrupted", "1.2 [P] Works"),
    executor: `[ $id = 1.2 ] && made\n${interrupts}`,
    width: 2,
    starts: [{ exitCode: 130, env: interrupt }, { exitCode: 0 }],
  },
  {
    name: "resume: with other options",
    plan: planOf("1.1 Fails twice"),
    executor: `[ $attempt = 1 ] && fails 'no door'\n${interrupts}`,
    starts: [
      { words: ["run", "--max-task-iterations", "4"], exitCode: 130, env: interrupt },
      { words: ["run", "--max-task-iterations", "3"], exitCode: 0 },
    ],
  },
  {
    name: "resume: a limit that still stands, then is raised",
    plan: planOf("1.1 Fails twice"),
    executor: '[ $attempt -lt 3 ] && fails "not $attempt"\nmade',
    starts: [
      { words: ["run", "--max-task-iterations", "2"], exitCode: 1 },
      { exitCode: 1 },
      { words: ["run", "--max-task-iterations", "3"], exitCode: 0 },
    ],
  },
  {
    name: "resume: a plan that was changed after a limit",
    plan: planOf("1.1 Fails once"),
    executor: "[ $attempt = 1 ] && fails 'not yet'\nmade",
    flags: ["--max-task-iterations", "1"],
    starts: [{ exitCode: 1 }, { exitCode: 0, edits: [["Fails once", "Is easy now"]] }],
  },
  {
    name: "resume: the limit of the run, with a task that cleans up",
    plan: planOf("1.1 Works", "1.2 Works", taskOf("1.3 [FINALLY] Cleans up", { Verify: null })),
    executor: "made",
    starts: [
      { words: ["run", "--max-global-iterations", "1"], exitCode: 1, unharmed: true },
      { words: ["run", "--max-global-iterations", "9"], exitCode: 0 },
    ],
  },
  {
    name: "resume: a program that cannot be started",
    plan: planOf("1.1 Works"),
    programs: { agent: "made" },
    files: { "agent.sh": "#!/nowhere/sh\n" },
    flags: ["--exec", "./agent.sh"],
    starts: [{ exitCode: 5 }, { exitCode: 0, files: { "agent.sh": "#!/bin/sh\nexec agent\n" } }],
  },
  {
    name: "resume: a Verify that cannot be run",
    plan: planOf(taskOf("1.1 Works", { Verify: "`./work/check.sh`" })),
    executor: "made",
    starts: [
      { exitCode: 3 },
      { words: ["run", "--accept", "any"], exitCode: 0, files: { "work/check.sh": "#!/bin/sh\ntest -e work/1.1\n" } },
    ],
  },
  {
    name: "resume: a task that another one has rewritten",
    plan: planOf("1.1 Meddles", "1.2 Is easy"),
    executor: "[ $id = 1.1 ] && sed -i 's/1.2 Is easy/1.2 Is done/' \"$plan\"\nmade",
    starts: [
      { exitCode: 3, unharmed: true },
      { words: ["run", "--accept", "any"], exitCode: 0 },
    ],
  },
  {
    name: "resume: a pause in a batch",
    plan: planOf("1.1 [P] Is paused behind", "1.2 [P] Goes on", "1.3 Works"),
    executor: "case $id in 1.1) put begun ;; 1.2) sleep 0.4 ;; esac\nmade",
    width: 2,
    starts: [{ exitCode: 0, says: { when: "work/begun", words: ["pause", "resume"] } }],
  },
  {
    name: "resume: pauses that nobody may ask for",
    plan: planOf("1.1 Fails once"),
    executor: "[ $attempt = 1 ] && fails 'not yet'\nmade",
    starts: [
      { words: ["run", "--max-task-iterations", "1"], exitCode: 1 },
      { words: ["pause"], exitCode: 2 },
      { words: ["run", "--max-task-iterations", "2"], exitCode: 0 },
    ],
  },
];
