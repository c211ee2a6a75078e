#!/usr/bin/env node
import { existsSync, statSync } from "node:fs";
import * as nodeModule from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Terminal } from "./cli-command.ts";

/** Exit codes of an internal defect, and of a failing environment. */
const [defect, environment] = [70, 5];
const words = process.argv.slice(2);
const interrupt = new AbortController();
let isListening = false;
let wasInterrupted = false;
let isForPart = (): boolean => false;
let outputError: NodeJS.ErrnoException | null = null;

// Without a handler Node would open its debugger, to which every user of the machine can connect.
process.on("SIGUSR1", () => {});

if (words[0] === "--version" || words[0] === "-V") process.stdout.write(`${readVersion()}\n`);
else void start();

async function start(): Promise<void> {
  process.on("uncaughtException", (error) => void fail(error).then((exitCode) => process.exit(exitCode)));
  process.stdout.on("error", loseOutput);
  // If standard error fails, errors cannot be reported at all.
  process.stderr.on("error", () => {});
  keepCompiled();
  // Do not wait for remaining timers and handles.
  process.exit(await act());
}

/**
 * Enable Node's compile cache (missing in Node 20). Node executes code from the cache, so its folder must be in the
 * user's home, where neither other users nor a repository can write.
 */
function keepCompiled(): void {
  const { enableCompileCache } = nodeModule as object as { enableCompileCache?: (folder: string) => void };
  const home = homedir();
  const isForeign = statSync(home, { throwIfNoEntry: false })?.uid !== (process.geteuid?.() ?? 0);
  const isWorkspace = `${home}/`.startsWith(`${process.cwd()}/`) || existsSync(join(home, ".git"));
  if (!isForeign && !isWorkspace) enableCompileCache?.(join(home, ".cache", "fixpoint"));
}

async function act(): Promise<number> {
  try {
    const { runCli } = await import("./run-cli.ts");
    const surroundings = {
      terminal: openTerminal(),
      folder: process.cwd(),
      get signal() {
        listen();
        return interrupt.signal;
      },
      heedStop: (heed: () => boolean) => {
        isForPart = heed;
      },
    };
    const exitCode = await runCli(words, surroundings, readVersion());
    await handOver();
    return outputError === null || outputError.code === "EPIPE" ? exitCode : await explainLostOutput(outputError);
  } catch (error) {
    await handOver();
    return fail(error);
  }
}

/** Wait until all of standard output is written, or writing has failed. */
function handOver(): Promise<void> {
  return new Promise((resolve) => process.stdout.write("", () => setImmediate(resolve)));
}

async function fail(error: unknown): Promise<number> {
  // The module that reports errors could not be loaded either.
  if (isOutOfFiles(error)) {
    process.stderr.write(`ERROR: Too many files are open (${error.code}), expected room for a few more\n`);
    process.stderr.write("Raise the limit, for example with ulimit -n 1024, then run again to resume\n");
    return environment;
  }
  try {
    const { renderError } = await import("./render-error.ts");
    const { text, exitCode } = renderError(error, process.stderr.columns);
    process.stderr.write(text);
    return exitCode;
  } catch (unloaded) {
    if (isOutOfFiles(unloaded)) return fail(unloaded);
    // The program was replaced or removed while it was running.
    process.stderr.write(`ERROR: ${JSON.stringify(String(error))}\nInstall fixpoint again, then run again to resume\n`);
    return defect;
  }
}

function isOutOfFiles(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE");
}

/**
 * Install the signal handlers. Before this call, signals end the process by default: nothing has begun yet, and reading
 * a large plan would delay a handler.
 */
function listen(): void {
  if (isListening) return;
  isListening = true;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"] as const) process.on(name, stop);
}

/** The first signal ends the run so that it can be resumed later; the second ends the program at once. */
function stop(signal?: NodeJS.Signals): void {
  if ((signal === "SIGTERM" || signal === "SIGUSR2") && !wasInterrupted && isForPart()) return;
  if (wasInterrupted) process.exit(130);
  wasInterrupted = true;
  interrupt.abort();
}

function loseOutput(error: NodeJS.ErrnoException): void {
  outputError ??= error;
  interrupt.abort();
}

/**
 * Handle lost output. If the reader closed the pipe, as `head` does, the run ends quietly. Any other failure is an
 * environment error.
 */
async function explainLostOutput(cause: NodeJS.ErrnoException): Promise<number> {
  const { lostOutput } = await import("./render-error.ts");
  return fail(lostOutput(cause));
}

function openTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const plain = env["TERM"] === "dumb";
  return {
    out: (text) => void (outputError === null && stdout.write(text)),
    err: (text) => void (outputError === null && stderr.write(text)),
    isTTY: stdout.isTTY === true && !plain && (env["CI"] ?? "") === "",
    get columns() {
      return stdout.columns > 0 ? stdout.columns : 80;
    },
    get rows() {
      return stdout.rows > 0 ? stdout.rows : 24;
    },
    colour: stdout.isTTY === true && !plain && (env["NO_COLOR"] ?? "") === "",
    now: Date.now,
    everySecond: (act) => {
      const timer = setInterval(act, 1000).unref();
      return () => clearInterval(timer);
    },
    ...(stdin.isTTY === true && stdout.isTTY === true && { ask }),
  };
}

async function ask(question: string, given?: AbortSignal): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const signal = given === undefined ? interrupt.signal : AbortSignal.any([interrupt.signal, given]);
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  lines.on("SIGINT", () => stop());
  const ended = new Promise<null>((resolve) => lines.once("close", () => resolve(null)));
  let answer: string | null = null;
  try {
    answer = await Promise.race([lines.question(question, { signal }), ended]);
  } finally {
    lines.close();
    if (answer === null) process.stdout.write("\n");
    signal.throwIfAborted();
  }
  return answer ?? "";
}

function readVersion(): string {
  const { version }: { version: string } = nodeModule.createRequire(import.meta.url)("fixpoint/package.json");
  return version;
}
