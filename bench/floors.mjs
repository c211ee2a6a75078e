// Coordinator in one short loop, as a lower bound of the cost. Unlike fixpoint, it does not survive a kill between two
// writes.
import { spawn } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { scanPlan } from "./scanned-plan.mjs";

export async function runInMemory({ tasksPath }, execute) {
  const plan = scanPlan(readFileSync(tasksPath, "latin1"));
  await walk(plan, execute, { tick: (task) => plan.tick(task), insert: plan.insert });
  writeFileSync(tasksPath, plan.content());
}

export async function runWithJournal({ spec, tasksPath, progressPath }, execute) {
  const plan = scanPlan(readFileSync(tasksPath, "latin1"));
  const journal = openSync(join(spec, "journal.ndjson"), "a");
  const record = (step) => {
    writeSync(journal, `${JSON.stringify(step)}\n`);
    fdatasyncSync(journal);
  };
  let file = openSync(tasksPath, "r+");
  await walk(plan, execute, {
    tick: (task, fixes) => {
      writeSync(file, "x", plan.tick(task));
      if (fixes.length > 0) appendFileSync(progressPath, `- Task ${task.id}: fixed by ${fixes.join(", ")}\n`);
      record({ step: "pass", task: task.id });
    },
    insert: (task, fix, block) => {
      record({ step: "fix", task: task.id, fix });
      const added = plan.insert(task, fix, block);
      writeFileSync(`${tasksPath}.tmp`, plan.content());
      renameSync(`${tasksPath}.tmp`, tasksPath);
      closeSync(file);
      file = openSync(tasksPath, "r+");
      return added;
    },
  });
  closeSync(file);
  closeSync(journal);
}

export const runWithProcesses = (files, [command, ...args]) =>
  runWithJournal(
    files,
    () =>
      new Promise((resolve, reject) => {
        const child = spawn(command, args, { stdio: ["ignore", "pipe", "ignore"] });
        let reply = "";
        child.stdout.setEncoding("latin1").on("data", (text) => {
          reply += text;
        });
        child.on("error", reject).on("close", () => resolve(reply));
      }),
  );

async function walk(plan, execute, { tick, insert }) {
  for (let task = plan.next(); task !== undefined; task = plan.next()) {
    const waiting = [{ task, fixes: [] }];
    for (let one = waiting.at(-1); one !== undefined; one = waiting.at(-1)) {
      const block = plan.blockOf(one.task);
      const reply = await execute(one.task.id, promptOf(one.task, block));
      if (/^TASK_COMPLETE$/m.test(reply) && !/requires manual|cannot be automated|could not complete/i.test(reply)) {
        tick(one.task, one.fixes);
        waiting.pop();
      } else {
        const fix = fixOf(one.task, one.fixes.length + 1, reply);
        one.fixes.push(fix.id);
        waiting.push({ task: insert(one.task, fix, fixBlock(fix, reply, block)), fixes: [] });
      }
    }
  }
}

const promptOf = ({ id }, block) =>
  `Do task ${id} of the spec bench.\n\n${block}\nDo what it says, change only its files, print TASK_COMPLETE when done.\n`;

const lineOf = (label, text) => new RegExp(`^- ${label}: (.*)$`, "m").exec(text)?.[1] ?? "unknown";
const fieldOf = (name, block) => new RegExp(`^ {2}- \\*\\*${name}\\*\\*: (.*)$`, "m").exec(block)?.[1] ?? "none";

const fixOf = ({ id }, number, reply) => ({
  id: `${id}.${number}`,
  title: `[FIX ${id}] Fix: ${lineOf("Error", reply).slice(0, 50)}`,
});

const fixBlock = ({ id, title }, reply, block) =>
  [
    `- [ ] ${id} ${title}`,
    `  - **Do**: Address the error: ${lineOf("Error", reply)}`,
    `    1. Analyze: ${lineOf("Attempted fix", reply)}`,
    `  - **Files**: ${fieldOf("Files", block)}`,
    `  - **Verify**: ${fieldOf("Verify", block)}`,
    "\n",
  ].join("\n");
