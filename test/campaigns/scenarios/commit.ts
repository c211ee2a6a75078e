import { planOf, taskOf } from "./plan-of.ts";
import type { Scenario } from "./scenario.ts";

const repository = true;

export const commits: readonly Scenario[] = [
  {
    name: "commit: the spec after a task",
    plan: planOf("1.1 Works"),
    executor: "made",
    repository,
    flags: ["--commit", "spec"],
  },
  {
    name: "commit: with a fix",
    plan: planOf("1.1 Needs a fix"),
    executor: `[ $id = 1.1 ] && ! has 1.1 && fails 'no door'\ncase $id in *.*.*) put \${id%.*} ;; esac\nmade`,
    repository,
    flags: ["--commit", "spec", "--recovery-mode"],
  },
  {
    name: "commit: by the executor itself",
    plan: planOf("1.1 Commits"),
    executor: `[ $attempt = 1 ] || { git add spec/tasks.md && { git diff --cached --quiet || git commit -qm 'docs: note'; }; made; }
case $(cat "$plan") in *'A note'*) ;; *) sed -i 's/^- \\[.\\] 1\\.1 .*/&\\n  - A note/' "$plan" ;; esac
made`,
    repository,
    flags: ["--require-commit"],
  },
  {
    name: "commit: notes which commit a task was done in",
    plan: planOf(taskOf("1.1 Works", { Files: "work/1.1" })),
    executor: "put 1.1; git add work/1.1; git diff --cached --quiet || git commit -qm 'feat: it'\nmade",
    repository,
  },
];
