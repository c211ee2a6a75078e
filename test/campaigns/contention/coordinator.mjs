/**
 * Coordinates specs on request, with a function as executor. Needs an IPC channel, and the folder of a build as
 * argument. May stop or kill itself right before a change of a file.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const { closeSync, existsSync, openSync, readdirSync, readFileSync, writeSync } = { ...fs };
/** Replaces `appendFileSync`, which would call the functions patched below. */
const append = (path, text) => {
  const file = openSync(path, "a");
  writeSync(file, text);
  closeSync(file);
};
const changes = [
  "writeSync",
  "writeFileSync",
  "renameSync",
  "linkSync",
  "rmSync",
  "mkdirSync",
  "unlinkSync",
  "openSync",
];
let breaking = null;
for (const name of changes) {
  const change = fs[name];
  fs[name] = (...given) => {
    const reads = name === "openSync" && (given[1] === undefined || given[1] === "r");
    if (breaking !== null && !reads && --breaking.change === 0) process.kill(process.pid, breaking.signal);
    return change(...given);
  };
}
syncBuiltinESMExports();

const { runSpec } = await import(pathToFileURL(join(process.argv[2], "src/hosts/node/index.js")).href);
let letGo = () => {};
process.on("disconnect", () => process.exit());
process.on("message", (told) => {
  if (told.kind === "go on") letGo();
  else void coordinate(told).then((end) => tell({ kind: "end", ...end }));
});
tell({ kind: "ready" });

function tell(message) {
  process.send(message, () => {});
}

async function coordinate(told) {
  breaking = told.breaking;
  for (;;) {
    const end = await attempt(told);
    const mayGoOn = end.outcome === "interrupted" || (end.code === "spec-locked" && !isDone(told));
    if (!told.patient || !mayGoOn) {
      breaking = null;
      return end;
    }
    await sleep(3);
  }
}

async function attempt({ workspace, spec, waits, oneTask, takeOver, workMs }) {
  const stop = new AbortController();
  const mark = (what, key) => append(join(workspace, "marks.log"), `${what} ${key} ${process.pid}\n`);
  const execute = async ({ key, taskId }) => {
    mark("begin", key);
    if (waits) {
      await new Promise((resolve) => {
        letGo = resolve;
        tell({ kind: "at work" });
      });
    } else await sleep(workMs);
    const failed = taskId === "1.2" && !existsSync(join(workspace, "done-1.2.1"));
    if (!failed) append(join(workspace, `done-${taskId}`), "");
    mark("end", key);
    return failed
      ? `Task ${taskId}: it FAILED\n- Error: 1.2.1 is missing\n- Attempted fix: none\n- Status: Blocked\n`
      : "TASK_COMPLETE";
  };
  try {
    const { outcome, error = null } = await runSpec({
      spec,
      workspace,
      executors: { executor: execute },
      policy: { trustExecutor: true, recovery: ["fix"] },
      yes: true,
      takeOver,
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (oneTask && type === "task.passed") stop.abort(new Error("That was mine"));
      },
    });
    return { outcome, code: null, error };
  } catch (error) {
    return { outcome: null, code: error.code ?? "none", error: String(error.stack) };
  }
}

/** Reads the journal, because the plan may be fully ticked before the run has ended. */
const isDone = ({ spec }) => {
  const data = join(spec, ".fixpoint/run-1");
  const names = existsSync(data) ? readdirSync(data).filter((name) => /^journal-\d+\.ndjson$/.test(name)) : [];
  return names.some((name) => readFileSync(join(data, name), "utf8").includes('"type":"ended"'));
};
