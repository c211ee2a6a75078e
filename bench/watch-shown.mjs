// Measures the delay until a viewer receives new records. Started by `watch.mjs`; prints one line of JSON.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findSpec } from "../dist/src/hosts/node/find-spec.js";
import { runSpec } from "../dist/src/hosts/node/index.js";
import { watchRun } from "../dist/src/hosts/node/watch/follow-run.js";
import { streamTo } from "../dist/src/hosts/node/watch/run-room.js";
import { addressOf } from "../dist/src/model/command-line.js";
import { makeSpec } from "./workload.mjs";

const { tasks, done, changes, isTold } = JSON.parse(process.argv[2]);
const base = mkdtempSync(join(tmpdir(), "fixpoint-bench-"));
process.env.XDG_STATE_HOME = mkdtempSync(join(tmpdir(), "fixpoint-bench-state-"));
const silent = () => ({ at: () => {}, close: () => {} });

try {
  const { folder, spec } = makeSpec(join(base, "workspace"), tasks);
  await record(folder, spec);
  process.stdout.write(`${JSON.stringify(await play(spec))}\n`);
} finally {
  for (const path of [base, process.env.XDG_STATE_HOME]) rmSync(path, { recursive: true, force: true });
}

async function record(folder, spec) {
  const stop = new AbortController();
  let begun = 0;
  await runSpec({
    ...{ spec, workspace: folder, signal: stop.signal, yes: true },
    policy: { trustExecutor: true, maxGlobalIterations: 2 * tasks },
    executors: {
      executor: async () => {
        begun += 1;
        if (begun > done) stop.abort();
        return "TASK_COMPLETE";
      },
    },
  });
}

async function play(spec) {
  const path = join(spec, ".fixpoint", "run-1", "journal-1.ndjson");
  const plan = join(spec, "tasks.md");
  const lines = readFileSync(path, "utf8").split(/(?<=\n)/);
  const last = lines.slice(-changes);
  writeFileSync(path, lines.slice(0, -changes).join(""));
  const ticked = last.flatMap((line) => tickIn(line) ?? []);
  let text = readFileSync(plan, "utf8");
  for (const id of ticked) text = text.replace(`- [x] ${id} `, `- [ ] ${id} `);
  writeFileSync(plan, text);
  const watch = watchRun(findSpec(spec, spec), addressOf("bench"), isTold ? undefined : silent);
  const first = watch.look();
  const seen = { run: 1, frames: first.film.frames.length, rows: first.film.rows };
  const server = createServer((_request, response) => void streamTo(response, watch, seen));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sent = follow(server.address().port, seen.frames);
  await sent.open;
  const times = [];
  for (const line of last) {
    await sleep(100 + Math.random() * 400);
    const id = tickIn(line);
    const before = sent.events();
    const start = performance.now();
    if (id !== null) {
      text = text.replace(`- [ ] ${id} `, `- [x] ${id} `);
      writeFileSync(plan, text);
    }
    appendFileSync(path, line);
    const shown = await sent.after(before, start + 2000);
    if (shown !== null) times.push(shown - start);
  }
  server.closeAllConnections();
  server.close();
  return { times, frames: watch.look().film.frames.length };
}

function tickIn(line) {
  return /"effect":"recordPass","key":"([^#"]+)#/.exec(line)?.[1] ?? null;
}

function follow(port) {
  const arrived = [];
  let opened;
  const open = new Promise((resolve) => {
    opened = resolve;
  });
  get({ port, host: "127.0.0.1" }, (response) => {
    response.on("data", (chunk) => {
      opened();
      if (chunk.includes("event: frames")) arrived.push(performance.now());
    });
    response.on("error", () => {});
  }).on("error", () => {});
  return {
    open,
    events: () => arrived.length,
    after: async (count, until) => {
      while (arrived.length <= count && performance.now() < until) await sleep(1);
      return arrived[count] ?? null;
    },
  };
}
