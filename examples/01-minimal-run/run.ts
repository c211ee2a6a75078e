/**
 * The smallest run: a plan of two tasks in a folder, and a program that does them.
 *
 *     npm run build && node examples/01-minimal-run/run.ts   (Node 22.18 or later)
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runSpec } from "fixpoint/node";

const folder = mkdtempSync(join(tmpdir(), "fixpoint-example-"));
const tasks = join(folder, "tasks.md");
writeFileSync(
  tasks,
  `# Greetings

- [ ] 1.1 Greet the world
  - **Verify**: \`grep -q 1.1 done.txt\`
- [ ] 1.2 Greet the moon
  - **Verify**: \`grep -q 1.2 done.txt\`
`,
);

const ended = await runSpec({
  spec: folder,
  workspace: folder,
  // The shell command replaces a coding agent: it gets the prompt on stdin, and claims completion.
  executors: { executor: `sh -c 'echo "$FIXPOINT_TASK_ID" >> done.txt; echo TASK_COMPLETE'` },
  // Agree to both Verify commands.
  yes: true,
  onEvent: (event) => {
    // Skip `task.progress`, which repeats during an attempt.
    if (event.type === "task.progress") return;
    console.log("task" in event ? `${event.type} ${event.task}` : event.type);
  },
});

console.log(`\n${ended.outcome} after ${ended.attempts} attempts\n\n${readFileSync(tasks, "utf8")}`);
rmSync(folder, { recursive: true });
