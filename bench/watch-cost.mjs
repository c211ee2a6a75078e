// Measures the cost of the page of a run, and of `fixpoint watch`, for a viewer that reads nothing.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeExecutor, prepareRun } from "./command-line.mjs";
import { median } from "./table.mjs";

export async function timeWatched({ cli, tasks, how }) {
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-bench-"));
  try {
    const executor = makeExecutor(folder, "sleep 0.05; echo TASK_COMPLETE");
    const { cwd, args } = prepareRun({ cli, folder: join(folder, "workspace"), tasks, executor });
    const beside = how === "elsewhere" ? spawnIn(cwd, [cli, "watch", args[2]]) : null;
    const door = beside === null ? null : await doorIn(beside.stdout);
    const start = performance.now();
    const child = spawnIn(cwd, [...args, ...(how === "nobody" || how === "stuck" ? ["--watch"] : [])]);
    child.stdout.resume();
    if (how !== "stuck") child.stderr.resume();
    const ended = new Promise((resolve) => child.on("exit", resolve));
    const looks = how === "stuck" ? doorIn(child.stderr).then(lookAt) : door && lookAt(door);
    const viewer = Promise.resolve(looks).catch(() => null);
    const exitCode = await ended;
    const wallMs = performance.now() - start;
    (await viewer)?.destroy();
    beside?.kill("SIGINT");
    if (exitCode !== 0) throw new Error(`The run ended with ${exitCode}`);
    return { wallMs };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const spawnIn = (cwd, args) => spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });

async function lookAt({ port, token }) {
  const run = await runAt(port, token);
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  const path = `/stream?run=${run}&frames=0`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  return socket.pause();
}

async function doorIn(output) {
  const file = /file:\/\/(\S+)\n/.exec(await printed(output, ".html\n"))?.[1] ?? "";
  const [, port, token] = /127\.0\.0\.1:(\d+)\/#token=([\w-]+)/.exec(readFileSync(file, "utf8")) ?? [];
  return { port: Number(port), token };
}

async function runAt(port, token) {
  const headers = { Authorization: `Bearer ${token}` };
  for (;;) {
    const { run, frames } = await (await fetch(`http://127.0.0.1:${port}/frames`, { headers })).json();
    if (frames.count > 0) return run;
    await sleep(20);
  }
}

export async function countIdleCalls({ cli, seconds }) {
  if (spawnSync("strace", ["-V"]).status !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-bench-"));
  const executor = makeExecutor(folder, "while :; do echo working; sleep 0.1; done");
  const { cwd, args } = prepareRun({ cli, folder: join(folder, "workspace"), tasks: 10, executor });
  const run = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  try {
    await printed(run.stdout, "task.delegated");
    const [, , spec] = args;
    const bare = "require('node:http').createServer().listen(0, '127.0.0.1', () => console.log('file: ready'))";
    return {
      watch: await callsOf([cli, "watch", spec], { cwd, folder, seconds }),
      bare: await callsOf(["-e", bare], { cwd, folder, seconds }),
    };
  } finally {
    run.kill("SIGINT");
    await new Promise((resolve) => run.on("exit", resolve));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function callsOf(args, { cwd, folder, seconds }) {
  const path = join(folder, "calls");
  const child = spawn("strace", ["-f", "-qq", "-o", path, process.execPath, ...args], {
    ...{ cwd, stdio: ["ignore", "pipe", "inherit"] },
  });
  await printed(child.stdout, "file:");
  // Wait until the program has started completely, even on a busy machine.
  await sleep(5000);
  const all = [];
  const aboutFiles = [];
  let before = linesIn(path).length;
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1000);
    const calls = linesIn(path).slice(before);
    before += calls.length;
    all.push(calls.length);
    aboutFiles.push(calls.filter((call) => fileCall.test(call)).length);
  }
  // strace ignores the signal, so send it to the program, whose process id begins each line.
  process.kill(Number.parseInt(linesIn(path)[0], 10), "SIGTERM");
  await new Promise((resolve) => child.on("exit", resolve));
  // Take medians, because a garbage collection increases the number of a single second.
  return { all: median(all), aboutFiles: median(aboutFiles) };
}

const fileCall = /\b(?:open|openat|stat|statx|lstat|newfstatat|pread64|getdents64|access|inotify\w+)\(/;

const printed = (stream, text) =>
  new Promise((resolve) => {
    let all = "";
    stream.on("data", (chunk) => {
      if (all.includes(text)) return;
      all += chunk;
      if (all.includes(text)) resolve(all);
    });
  });

const linesIn = (path) => readFileSync(path, "utf8").split("\n");
