/**
 * A function as executor, in recovery mode. The executor claims completion with a wrong answer and the task's Verify
 * fails, so fixpoint inserts a fix task, runs it, and delegates the task again.
 *
 *     npm run build && node examples/02-own-executor/run.ts   (Node 22.18 or later)
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Executor } from "fixpoint";
import { runSpec } from "fixpoint/node";

const folder = mkdtempSync(join(tmpdir(), "fixpoint-example-"));
const tasks = join(folder, "tasks.md");
writeFileSync(
  tasks,
  `- [ ] 1.1 Work out six times seven
  - **Do**: Write the result into answer.txt
  - **Files**: \`answer.txt\`
  - **Done when**: The file holds the product
  - **Verify**: \`grep -qx 42 answer.txt || { echo "expected 42, got $(cat answer.txt)"; exit 1; }\`
  - **Commit**: \`feat(answer): work out six times seven\`
`,
);

// A real executor would send `delegation.prompt` to an agent.
const executor: Executor = async ({ taskId, workspace }) => {
  const answer = join(workspace, "answer.txt");
  if (taskId === "1.1.1") writeFileSync(answer, "42\n");
  else if (!existsSync(answer)) writeFileSync(answer, "41\n");
  return "TASK_COMPLETE";
};

const ended = await runSpec({
  spec: folder,
  workspace: folder,
  executors: { executor },
  policy: { recovery: ["fix"], maxFixTasksPerOriginal: 2 },
  yes: true,
  onEvent: (event) => {
    if (event.type === "task.failed") console.log(`failed ${event.task}: ${event.failure.error}`);
    if (event.type === "fix.inserted") console.log(`fix ${event.fix} inserted below ${event.task}`);
    if (event.type === "task.passed") console.log(`passed ${event.task}`);
  },
});

console.log(`\n${ended.outcome}: ${ended.original} task, ${ended.fixes} fix\n\n${readFileSync(tasks, "utf8")}`);
rmSync(folder, { recursive: true });
