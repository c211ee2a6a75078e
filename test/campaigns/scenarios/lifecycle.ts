import { planOf, taskOf } from "./plan-of.ts";
import type { Scenario } from "./scenario.ts";

const works = "made";

export const lifecycle: readonly Scenario[] = [
  { name: "lifecycle: one task", plan: planOf("1.1 Works"), executor: works },
  {
    name: "lifecycle: two phases",
    plan: planOf("## Phase 1", "1.1 Works", "## Phase 2", "2.1 Works"),
    executor: works,
  },
  {
    name: "lifecycle: no Verify commands",
    plan: planOf(taskOf("1.1 Works", { Verify: null }), taskOf("1.2 Works", { Verify: null })),
    executor: works,
  },
  {
    name: "lifecycle: Verify commands that are not run",
    plan: planOf(taskOf("1.1 Works", { Verify: "`false`" })),
    executor: works,
    flags: ["--trust-executor"],
  },
  {
    name: "lifecycle: the executor ticks its box",
    plan: planOf("1.1 Ticks", "1.2 Works"),
    executor: `[ $id = 1.1 ] && sed -i 's/^- \\[ \\] 1\\.1 /- [x] 1.1 /' "$plan"\nmade`,
    flags: ["--require-executor-tick", "--max-task-iterations", "1"],
    starts: [{ exitCode: 1 }, { words: ["run"], exitCode: 0, edits: [["- [ ] 1.2", "- [x] 1.2"]] }],
  },
  {
    name: "lifecycle: the executor notes something in its block",
    plan: planOf("1.1 Notes", "1.2 Works"),
    executor: `case $(cat "$plan") in *'A note'*) ;; *) sed -i 's/^- \\[.\\] 1\\.1 .*/&\\n  - A note/' "$plan" ;; esac\nmade`,
  },
  {
    name: "lifecycle: the executor writes into the log",
    plan: planOf("1.1 Learns", "1.2 Learns"),
    executor: `log=$FIXPOINT_PROGRESS_FILE
case $(cat "$log") in *"Of $id"*) ;; *) echo "- Of $id" >> "$log" ;; esac
made`,
    files: { "spec/.progress.md": "# Progress\n\n## Completed Tasks\n- [x] 0.1 Before\n\n## Learnings\n- Old\n" },
  },
  {
    name: "lifecycle: a task of the verifier",
    plan: planOf("1.1 Works", taskOf("1.2 [VERIFY] All of it", { Verify: "`test -e work/1.1`" })),
    executor: works,
    verifier: works,
  },
  {
    name: "lifecycle: a goal verification with a reality check",
    plan: planOf("1.1 Works", taskOf("VF [VERIFY] Goal verification", { Verify: null })),
    executor: works,
    files: {
      "spec/.progress.md":
        "# Progress\n\n## Reality Check (BEFORE)\n**Reproduction command**: `test -e work/1.1`\n**Exit code**: 1\n",
    },
  },
  {
    name: "lifecycle: fails once",
    plan: planOf("1.1 Fails once"),
    executor: "[ $attempt = 1 ] && fails 'not yet'\nmade",
  },
  {
    name: "lifecycle: says nothing, then contradicts itself",
    plan: planOf("1.1 Is unclear"),
    executor: "case $attempt in 1) exit ;; 2) echo 'This needs human help' ;; esac\nmade",
  },
  {
    name: "lifecycle: claims what its Verify denies",
    plan: planOf("1.1 Lies once", "1.2 Works"),
    executor: "[ $FIXPOINT_KEY = 1.1#1 ] && claim\nmade",
  },
  {
    name: "lifecycle: exits with 3, then dies",
    plan: planOf("1.1 Breaks"),
    executor: "case $attempt in 1) echo TASK_COMPLETE; exit 3 ;; 2) kill -9 $$ ;; esac\nmade",
  },
  {
    name: "lifecycle: takes too long",
    plan: planOf("1.1 Hangs once"),
    executor: "[ $attempt = 1 ] && exec sleep 60\nmade",
    flags: ["--task-timeout", "1s"],
  },
  {
    name: "lifecycle: says more than is kept in the journal",
    plan: planOf("1.1 Says much"),
    executor: "printf '%06000d\\n' 0; printf '%06000d\\n' 1 >&2\n[ $attempt = 1 ] && fails 'too much'\nmade",
  },
  {
    name: "lifecycle: titles without ids",
    plan: "# Tasks\n\n- [ ] Add the parser\n- [ ] Add the printer\n- [ ] Add the parser\n",
    executor: works,
  },
  {
    name: "lifecycle: line ends of Windows",
    plan: planOf("1.1 Works", "1.2 Works").replaceAll("\n", "\r\n"),
    executor: works,
  },
  {
    name: "lifecycle: tasks in tasks",
    plan: "# Plan\n\n- [ ] 1. Outer\n  - [ ] 1.1 First\n  - [ ] 1.2 Second\n- [x] 2. Done before\n",
    executor: works,
  },
  { name: "lifecycle: nothing to do", plan: "# Plan\n\n- [x] 1.1 Done before\n", executor: works },
  {
    name: "lifecycle: a last command",
    plan: planOf("1.1 Works"),
    executor: works,
    flags: ["--final-verify", "test -e work/ready"],
    starts: [{ exitCode: 3 }, { exitCode: 0, files: { "work/ready": "" } }],
  },
  {
    name: "lifecycle: a state of the source system",
    plan: planOf("1.1 Was done", "1.2 Fails again", "1.2.1 [FIX 1.2] Fix: gone").replace("[ ] 1.1 ", "[x] 1.1 "),
    executor: `[ $id = 1.2 ] && [ $attempt = 1 ] && fails 'still gone'
case $id in 1.2.*) put 1.2 ;; esac
made`,
    files: {
      "spec/.ralph-state.json": JSON.stringify({
        ...{ source: "spec", name: "spec", phase: "execution", taskIndex: 1, totalTasks: 3, globalIteration: 4 },
        ...{ recoveryMode: true, maxFixTasksPerOriginal: 2, chain: { deep: [null, { "": 0 }] } },
        fixTaskMap: { "1.2": { attempts: 1, fixTaskIds: ["1.2.1"], lastError: "gone" } },
      }),
    },
  },
];
