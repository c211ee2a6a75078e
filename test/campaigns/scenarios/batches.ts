import { planOf, taskOf } from "./plan-of.ts";
import type { Scenario } from "./scenario.ts";

const width = 2;
const slowly = "sleep 0.05";

/** `work` needs a file, because git stores no empty folder. */
const apart = { repository: true, files: { "work/kept": "", ".gitignore": "spec/.fixpoint/\n" }, width } as const;

export const batches: readonly Scenario[] = [
  { name: "batches: two members", plan: planOf("1.1 [P] Works", "1.2 [P] Works"), executor: `${slowly}\nmade`, width },
  {
    name: "batches: three members, two at once",
    plan: planOf("1.1 [P] Works", "1.2 [P] Works", "1.3 [P] Works"),
    executor: "made",
    flags: ["--max-parallel", "2"],
    width,
  },
  {
    name: "batches: members with one file",
    plan: planOf(taskOf("1.1 [P] Works", { Files: "a.ts" }), taskOf("1.2 [P] Works", { Files: "a.ts" })),
    executor: "made",
    width,
  },
  {
    name: "batches: a member that needs a fix",
    plan: planOf("1.1 [P] Works", "1.2 [P] Needs a fix"),
    executor: `${slowly}\n[ $id = 1.2 ] && ! has 1.2 && fails 'no door'\ncase $id in *.*.*) put \${id%.*} ;; esac\nmade`,
    flags: ["--recovery-mode"],
    width,
  },
  {
    name: "batches: members that write logs and tick",
    plan: planOf("1.1 [P] Writes", "1.2 [P] Ticks"),
    executor: `log=$FIXPOINT_PROGRESS_FILE
case $id$(cat "$log" 2> /dev/null) in
  1.1*'Of it'*) ;;
  1.1*) printf '## Decisions\\n- Of it\\n' >> "$log" ;;
  1.2*) sed -i 's/^- \\[ \\] 1\\.2 /- [x] 1.2 /' "$plan" ;;
esac
made`,
    width,
  },
  {
    name: "batches: a member that meets a limit",
    plan: planOf("1.1 [P] Is hopeless", "1.2 [P] Works"),
    executor: "[ $id = 1.1 ] && fails 'no door'\nmade",
    flags: ["--max-task-iterations", "1"],
    width,
    starts: [{ exitCode: 1 }],
  },
  {
    name: "batches: with a verification behind",
    plan: planOf(
      "1.1 [P] Works",
      "1.2 [P] Fails once",
      taskOf("1.3 [VERIFY] Both", { Verify: "`ls work/1.1 work/1.2`" }),
    ),
    executor: "[ $FIXPOINT_KEY = 1.2#1 ] && fails 'not yet'\nmade",
    width,
  },
  {
    name: "worktrees: three members, two at once",
    plan: planOf("1.1 [P] Works", "1.2 [P] Works", "1.3 [P] Works"),
    executor: `log=$FIXPOINT_PROGRESS_FILE\ngrep -q "Of $id" "$log" 2> /dev/null || printf '## Learnings\\n- Of %s\\n' $id >> "$log"\nmade`,
    ...apart,
    flags: ["--worktrees", "--max-parallel", "2"],
  },
  {
    name: "worktrees: a member that needs a fix",
    plan: planOf("1.1 [P] Works", "1.2 [P] Needs a fix", "1.3 Behind them"),
    executor: `[ $id = 1.2 ] && ! has 1.2 && fails 'no door'\ncase $id in *.*.*) put \${id%.*} ;; esac\nmade`,
    ...apart,
    flags: ["--worktrees", "--recovery-mode"],
  },
  {
    name: "race: the second of three is proven",
    plan: planOf("1.1 Needs several"),
    executor: `case $FIXPOINT_KEY in *#1) fails 'no door' ;; *#2) : ;; *#3) put 1.1 ;; *) sleep 0.3 ;; esac\nmade`,
    ...apart,
    width: 3,
    flags: ["--race", "3", "--max-task-iterations", "1"],
  },
  {
    name: "race: none of two is proven",
    plan: planOf("1.1 Needs several"),
    executor: "put other\nfails 'no door'",
    ...apart,
    width: 2,
    flags: ["--race", "2", "--max-task-iterations", "1"],
    starts: [{ exitCode: 1 }],
  },
];
