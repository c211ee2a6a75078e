import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { openModelService } from "./model-service/open-model-service.mjs";
import { environmentOf, layOut, processesOf, tasksPath, writeAll } from "./place.mjs";
import { setUp } from "./setups.mjs";

export async function runCell({ tool, kase, folder, program, signal }) {
  const place = layOut(folder, { [tasksPath]: kase.plan });
  const service = await openModelService({ folder: place.workspace });
  const fault = (method, name = "") => fetch(`${service.url}/_fault/${name}`, { method });
  try {
    if (kase.fault) await fault("PUT", kase.fault);
    const isTrusted = kase.permissions !== undefined;
    const setup = setUp(tool.name, { url: kase.url ?? service.url, hasKey: kase.hasKey, isTrusted });
    writeAll(place.home, setup.files);
    const began = Date.now();
    const child = start({ tool, kase, place, program, env: setup.env });
    const seen = await watch(child, kase, { lift: () => fault("DELETE"), signal });
    return {
      ...{ ...seen, seconds: Math.round((Date.now() - began) / 1000), calls: service.calls, place },
      isPlanChanged: readFileSync(place.tasks, "utf8") !== kase.plan,
      commits: execFileSync("git", ["log", "--format=%s"], { cwd: place.workspace, encoding: "utf8" })
        .trim()
        .split("\n"),
      left: await processesOf(place.home),
    };
  } finally {
    service.close();
  }
}

function start({ tool, kase, place, program, env }) {
  const allowed = kase.permissions === undefined ? [] : ["--permissions", kase.permissions];
  const words = ["run", "demo", "--executor", tool.name, ...allowed, "--recovery-mode", "--yes"];
  return spawn(process.execPath, [program, ...words, "--reporter", "json", "--task-timeout", `${kase.seconds}s`], {
    cwd: place.workspace,
    env: { ...environmentOf(tool, place), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function watch(child, kase, { lift, signal }) {
  const events = [];
  let said = "";
  let stopped = null;
  const stop = (why) => {
    if (stopped !== null) return;
    stopped = why;
    child.kill("SIGINT");
    setTimeout(() => child.kill("SIGKILL"), 20_000).unref();
  };
  const limit = setTimeout(() => stop("no end"), (kase.seconds * 3 + 60) * 1000);
  const onAbort = () => stop("interrupted");
  signal.addEventListener("abort", onAbort);
  child.stderr.on("data", (data) => (said += data));
  createInterface({ input: child.stdout }).on("line", (line) => {
    const event = JSON.parse(line);
    events.push(event);
    if (event.type === "waiting" && event.until !== null) stop("waits");
    if (event.type !== "task.delegated" || events.filter(({ type }) => type === event.type).length < 2) return;
    if (kase.lifts) lift();
    else if (kase.fixes === undefined && events.some(({ type }) => type === "task.failed")) stop("failed");
  });
  const exitCode = await new Promise((ended) => child.once("close", ended));
  clearTimeout(limit);
  signal.removeEventListener("abort", onAbort);
  const outcome = events.find(({ type }) => type === "run.ended")?.outcome ?? null;
  return { events, said: said.trim(), stopped, exitCode, outcome };
}
