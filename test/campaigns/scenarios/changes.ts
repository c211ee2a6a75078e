import { planOf, taskOf } from "./plan-of.ts";
import type { Scenario } from "./scenario.ts";

const agreed = { Verify: "`ls work`" };
/** The user has already agreed to this Verify, which is in the plan. */
const asking = `agreed='\`ls work\`'
task() {
  printf '"- [ ] %s %s\\\\n  - **Do**: It\\\\n  - **Files**: work/%s\\\\n  - **Done when**: It is there\\\\n  - **Verify**: %s\\\\n  - **Commit**: \`feat: it\`"' "$1" "$2" "$1" "\${3:-$agreed}"
}
ask() {
  printf 'TASK_MODIFICATION_REQUEST\\n{"type":"%s","originalTaskId":"%s","reasoning":"It is more","proposedTasks":[%s]}\\n\\n%s\\n' "$1" "$id" "$2" "$3"
  exit
}
`;

export const changes: readonly Scenario[] = [
  {
    name: "changes: a task is split",
    plan: planOf(taskOf("1.1 Is split", agreed)),
    executor: `${asking}[ $id = 1.1 ] && ask SPLIT_TASK "$(task 1.1a One),$(task 1.1b Other)"\nmade`,
  },
  {
    name: "changes: a task needs another one first",
    plan: planOf(taskOf("1.1 Needs another", agreed)),
    executor: `${asking}[ $id = 1.1 ] && ! has 1.0 && ask ADD_PREREQUISITE "$(task 1.0 First)"\nmade`,
  },
  {
    name: "changes: a task is followed by another one",
    plan: planOf(taskOf("1.1 Is followed", agreed)),
    executor: `${asking}[ $id = 1.1 ] && ask ADD_FOLLOWUP "$(task 1.2 Next)" TASK_COMPLETE\nmade`,
  },
  {
    name: "changes: a request that is refused",
    plan: planOf(taskOf("1.1 Asks in vain", agreed)),
    executor: `${asking}[ $attempt = 1 ] && ask SPLIT_TASK "$(task 1.1 Same)"\nmade`,
  },
  {
    name: "changes: behind a fix",
    plan: planOf(taskOf("1.1 Needs a fix, and is followed", agreed)),
    executor: `${asking}[ $id = 1.1 ] && { has 1.1.1 || fails 'no door'; ask ADD_FOLLOWUP "$(task 1.2 Next)" TASK_COMPLETE; }\nmade`,
    flags: ["--recovery-mode"],
  },
  {
    name: "changes: in a batch",
    plan: planOf(taskOf("1.1 [P] Is split", agreed), taskOf("1.2 [P] Works", agreed)),
    executor: `${asking}[ $id = 1.1 ] && ask SPLIT_TASK "$(task 1.1a '[P] One'),$(task 1.1b '[P] Other')"\nmade`,
    width: 2,
  },
  {
    name: "changes: with a command that nobody has agreed to",
    plan: planOf(taskOf("1.1 Is split", { Verify: null })),
    executor: `${asking}[ $id = 1.1 ] && ask SPLIT_TASK "$(task 1.1a One),$(task 1.1b Other)"\nmade`,
    starts: [{ exitCode: 3 }, { words: ["run", "--accept", "any"], exitCode: 0 }],
  },
];
