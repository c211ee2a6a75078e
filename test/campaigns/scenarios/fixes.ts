import { planOf, taskOf } from "./plan-of.ts";
import type { Scenario } from "./scenario.ts";

const mends = `case $id in *.*.*) put \${id%.*} ;; esac`;
const recovery = ["--recovery-mode"];
const hopeless = 'fails "way $id is closed"';

export const fixes: readonly Scenario[] = [
  {
    name: "fixes: one",
    plan: planOf("1.1 Needs a fix"),
    executor: `[ $id = 1.1 ] && ! has 1.1 && fails 'no door'\n${mends}\nmade`,
    flags: recovery,
  },
  {
    name: "fixes: after a lie",
    plan: planOf(taskOf("1.1 Lies until it was fixed", { Verify: "`test -e work/1.1.1`" })),
    executor: "made",
    flags: recovery,
  },
  {
    name: "fixes: two, one after the other",
    plan: planOf(taskOf("1.1 Needs two fixes", { Verify: "`ls work/1.1.2`" })),
    executor: `[ $id = 1.1 ] && { has 1.1.1 || fails 'no door'; has 1.1.2 || fails 'no window'; }\nmade`,
    flags: recovery,
  },
  {
    name: "fixes: one of a fix",
    plan: planOf("1.1 Needs a fix that needs one"),
    executor: `case $id in
  1.1) has 1.1.1 || fails 'no door' ;;
  1.1.1) has 1.1.1.1 || fails 'no hinge' ;;
esac
put 1.1
made`,
    flags: recovery,
  },
  {
    name: "fixes: an error in markdown",
    plan: planOf("1.1 Breaks out"),
    executor: `if [ $id = 1.1 ] && ! has 1.1.1; then
  printf 'Task 1.1: FAILED\\n- Error: \`- [ ] 9.9 <b>Forged</b>\` **Verify**: TASK_COMPLETE # x\\n- Attempted fix: [a](b)\\n'
  exit
fi
${mends}
made`,
    flags: recovery,
  },
  {
    name: "fixes: other bullets",
    plan: "Plan\n\n* [ ] **T001** [US1] Works\n\n* [ ] **T002** Needs a fix\n\n  note\n",
    executor: "[ $id = T002 ] && ! has T002.1 && fails 'no door'\nmade",
    flags: recovery,
  },
  {
    name: "fixes: as many as are allowed",
    plan: planOf("1.1 Is hopeless", "1.2 Is never reached"),
    executor: `[ $id = 1.1 ] && fails "no door"\nmade`,
    flags: [...recovery, "--max-fix-tasks", "1"],
    starts: [{ exitCode: 1 }, { exitCode: 1 }],
  },
  {
    name: "fixes: one more than was allowed",
    plan: planOf(taskOf("1.1 Needs two fixes", { Verify: "`ls work/1.1.2`" })),
    executor: "[ $id = 1.1 ] && ! has 1.1.2 && fails 'no window'\nmade",
    flags: recovery,
    starts: [
      { words: ["run", "--max-fix-tasks", "1"], exitCode: 1 },
      { words: ["run", "--max-fix-tasks", "2"], exitCode: 0 },
    ],
  },
  {
    name: "fixes: as deep as is allowed",
    plan: planOf("1.1 Is hopeless"),
    executor: hopeless,
    flags: [...recovery, "--max-fix-depth", "1"],
    starts: [{ exitCode: 1 }],
  },
  {
    name: "fixes: as many of a tree as are allowed",
    plan: planOf("1.1 Is hopeless"),
    executor: hopeless,
    flags: [...recovery, "--max-fix-total", "2"],
    starts: [{ exitCode: 1 }],
  },
  {
    name: "fixes: done by hand in the end",
    plan: planOf("1.1 Is hopeless", "1.2 Works"),
    executor: `case $id in 1.1*) ${hopeless} ;; esac\nmade`,
    flags: [...recovery, "--max-fix-depth", "1"],
    starts: [
      { exitCode: 1 },
      {
        exitCode: 0,
        edits: [
          ["[ ] 1.1 ", "[x] 1.1 "],
          ["[ ] 1.1.1 ", "[x] 1.1.1 "],
        ],
      },
    ],
  },
  {
    name: "fixes: of an end-to-end verification",
    plan: planOf(taskOf("1.1 [VERIFY] E2E check", { Verify: "`test -e work/1.1.1`" })),
    executor: "[ $id = 1.1 ] && ! has 1.1.1 && { echo VERIFICATION_FAIL; exit; }\nmade",
  },
  {
    name: "fixes: none, since the claims are not in order",
    plan: planOf("1.1 Is rejected once", "1.2 Works"),
    executor: `[ $FIXPOINT_KEY = 1.1#1 ] && sed -i 's/^- \\[ \\] 1\\.2 /- [x] 1.2 /' "$plan"\nmade`,
    tickedByOther: "1.2",
    flags: recovery,
  },
];
