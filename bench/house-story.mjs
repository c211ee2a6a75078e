// Executes one of the three stories of `house.mjs` on the instrumented build.
import fs, { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [, , place, story] = process.argv;
const seen = new Set();
let completions = 0;
let hasDecided = false;
let isCounting = false;
let isKilledAtTick = false;
globalThis.__note = (file, start, name) => {
  if (isKilledAtTick && name === "recordPass") {
    fs.writeSync(1, "{}\n");
    process.kill(process.pid, "SIGKILL");
  }
  if (file === "src/run/decide-next.js") hasDecided = true;
  if (name === "readPolicy" && !hasDecided) completions += 1;
  if (isCounting) seen.add(`${file}:${start}`);
};
const begin = () => {
  isCounting = true;
};
const end = () => {
  isCounting = false;
};
const told = () => {
  const files = new Set([...seen].map((each) => each.slice(0, each.lastIndexOf(":"))));
  fs.writeSync(1, `${JSON.stringify({ functions: seen.size, files: files.size, completions })}\n`);
};

const folder = join(place, story === "resumed" ? "killed" : story);
const spec = join(folder, "specs", "story");
if (!existsSync(spec)) {
  mkdirSync(spec, { recursive: true });
  const task = (id, check) => `- [ ] ${id} Make ${id}\n  - **Do**: Make it\n  - **Verify**: ${check}\n`;
  writeFileSync(join(spec, "tasks.md"), `# Tasks\n\n${task("1.1", "test -f done-1.1")}${task("1.2", "true")}`);
}
const done = (id) => `Task ${id}: Make DONE\nTASK_COMPLETE\n`;
const { runSpec } = await import(join(place, "build/src/hosts/node/index.js"));
const run = (executor, onEvent) =>
  runSpec({ spec, workspace: folder, yes: true, policy: { recovery: ["fix"] }, executors: { executor }, onEvent });

const stories = {
  repair: async () => {
    let replies = 0;
    await run(
      async ({ taskId }) => {
        if (taskId === "1.1.1" || replies > 0) writeFileSync(join(folder, "done-1.1"), "");
        if (taskId === "1.1") replies += 1;
        if (taskId === "1.1" && replies === 1) begin();
        return done(taskId);
      },
      (event) => {
        if (event.type === "task.passed" && event.task === "1.1") end();
      },
    );
    told();
  },
  killed: async () => {
    isKilledAtTick = true;
    const ended = await run(async ({ taskId }) => {
      writeFileSync(join(folder, "done-1.1"), "");
      return done(taskId);
    });
    throw new Error(`The run was not killed: ${ended.error ?? ended.outcome}`);
  },
  resumed: async () => {
    begin();
    await run(
      async ({ taskId }) => done(taskId),
      (event) => {
        if (event.type === "task.passed") end();
      },
    );
    told();
  },
  flag: async () => {
    process.on("exit", told);
    const words = ["run", spec, "--exec", "echo failed", "--max-task-iterations", "1", "--yes", "--reporter", "plain"];
    process.argv = [process.execPath, "fixpoint", ...words];
    await import(join(place, "build/src/hosts/cli/main.js"));
  },
};
await stories[story]();
