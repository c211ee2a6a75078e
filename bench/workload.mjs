import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const tasksPerPhase = 100;
const idOf = (index) => `${Math.floor(index / tasksPerPhase) + 1}.${(index % tasksPerPhase) + 1}`;

export function makeSpec(folder, tasks) {
  const spec = join(folder, "specs", "bench");
  mkdirSync(spec, { recursive: true });
  const tasksPath = join(spec, "tasks.md");
  const progressPath = join(spec, ".progress.md");
  writeFileSync(tasksPath, planOf(tasks));
  writeFileSync(progressPath, "# Progress: bench\n\n## Completed Tasks\n\n## Learnings\n\n- Plan written\n");
  return { folder, spec, tasksPath, progressPath };
}

export function planOf(tasks) {
  const lines = ["# Tasks: bench", ""];
  for (let index = 0; index < tasks; index += 1) {
    const unit = index + 1;
    if (index % tasksPerPhase === 0) lines.push(`## Phase ${index / tasksPerPhase + 1}: Units`, "");
    lines.push(
      `- [ ] ${idOf(index)} Implement unit ${unit} of the module`,
      `  - **Do**: Add function unit${unit} to src/unit${unit}.ts and export it from the index`,
      `  - **Files**: src/unit${unit}.ts, src/index.ts`,
      `  - **Done when**: unit${unit} is exported and its test passes`,
      `  - **Verify**: npm test -- unit${unit}`,
      `  - **Commit**: feat(unit): add unit${unit}`,
      "",
    );
  }
  return lines.join("\n");
}

const chatter = "info  compiled module src/unit.ts in 12 ms; ran 14 assertions; no warnings\n".repeat(14);

export function scriptedReplies(failEvery) {
  const failed = new Set();
  return (task) => {
    const [phase, number, fix] = task.split(".");
    const ordinal = (Number(phase) - 1) * tasksPerPhase + Number(number);
    if (failEvery === 0 || fix !== undefined || ordinal % failEvery !== 0 || failed.has(task)) {
      return `${chatter}Task ${task}: Implement unit DONE\nTASK_COMPLETE\n`;
    }
    failed.add(task);
    return `${chatter}Task ${task}: Implement unit FAILED\n- Error: File not found: src/unit${ordinal}.ts\n- Attempted fix: Looked in other folders\n`;
  };
}

export function checkFinished({ tasksPath }, tasks, failEvery) {
  const heads = [...readFileSync(tasksPath, "utf8").matchAll(/^- \[(.)\] (\S+)/gm)];
  const expected = Array.from({ length: tasks }, (_, index) => {
    const id = idOf(index);
    return failEvery > 0 && (index + 1) % failEvery === 0 ? [id, `${id}.1`] : [id];
  }).flat();
  if (heads.map(([, , id]) => id).join() !== expected.join())
    throw new Error("The plan does not contain the expected tasks");
  if (heads.some(([, box]) => box !== "x")) throw new Error("The plan has open tasks");
}
