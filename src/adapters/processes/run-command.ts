import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once, setMaxListeners } from "node:events";
import { closeSync, fstatSync } from "node:fs";
import { EnvironmentError } from "../../model/errors.ts";
import type { Ending } from "../../model/reply.ts";
import { isFolder } from "../files/folder.ts";
import { recordCall } from "../user/call-record.ts";
import { checkWritten } from "./check-written.ts";
import { defaultGraceMs, endProcesses, killAtExit, killProcesses } from "./end-processes.ts";
import { searchFor } from "./find-processes.ts";
import { openInput } from "./open-output.ts";
import { identifyProcess } from "./process-identity.ts";

/** Variables of a process; an undefined one is left out. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface CommandOptions {
  readonly cwd: string;
  /** All variables of the process. */
  readonly env: Environment;
  /** The whole input (none by default). */
  readonly stdin?: string | Buffer;
  /** The program starts no others, so that only its group is looked for when it has ended. Default: false. */
  readonly isAlone?: boolean;
  /** Descriptor of a file for this stream (dropped by default). It stays open. */
  readonly stdout?: number;
  readonly stderr?: number;
  /** How long it may take. Checked every tenth of a second. */
  readonly timeoutMs: number;
  /** How long it may print nothing (no limit by default). */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * Called ten times a second with whether the program has printed something since the last call. Answers whether the
   * program only waits: then it is ended like a silent one. If this throws, the program is killed at once, and the error is
   * thrown again when it has ended.
   */
  readonly look?: ((hasPrinted: boolean) => boolean) | undefined;
  /** How much it may print in both streams together (no limit by default). */
  readonly outputCapBytes?: number | undefined;
  /**
   * How long its processes have to end by themselves before they are killed (5 s by default). At most 1.5 s when the
   * program itself has exited, and no time in a flood.
   */
  readonly graceMs?: number | undefined;
}

export interface CommandEnd {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What ended it. A limit also counts when the program exited by itself after SIGTERM. */
  readonly ended: Exclude<Ending, "spawn">;
  /** The limit that ended it: of time and of silence in milliseconds, of output in bytes. */
  readonly limit?: number;
  readonly durationMs: number;
  /** Processes that it left running, which were ended; not given without any. */
  readonly leftBehind?: number;
}

/**
 * Run a program in its own process group, without a shell, and end whatever it leaves behind. Its output goes into
 * files, so that no process that inherits them delays the end, and a flood costs no memory. Each of its processes is
 * found by a variable in its environment, even after `setsid` or a second fork. One that clears its environment, leaves
 * the group and outlives its parent escapes.
 *
 * @param signal Ends the program like a limit does.
 * @throws {EnvironmentError} `command-not-started`; `processes-left` when some live on after SIGKILL;
 *   `output-not-written` when what it printed may not be there; what `look` throws.
 */
export async function runCommand(
  file: string,
  args: readonly string[],
  options: CommandOptions,
  signal: AbortSignal,
): Promise<CommandEnd> {
  if (signal.aborted) return { exitCode: null, signal: null, ended: "signal", durationMs: 0 };
  const { graceMs = defaultGraceMs } = options;
  const startedAt = performance.now();
  // The call has a variable name of its own, so that a call made inside it is found by both marks.
  const mark = { [`FIXPOINT_CALL_${randomBytes(8).toString("hex")}`]: "1" };
  const { FIXPOINT_SPEC: spec, FIXPOINT_KEY: key } = options.env;
  const record = spec === undefined || key === undefined ? null : recordCall({ spec, key });
  let child: ChildProcess;
  try {
    child = startChild(file, args, { ...options, env: { ...options.env, ...mark } });
    // A child without an id could not be started and is about to emit why.
    if (child.pid === undefined) throw notStarted(file, options.cwd, (await once(child, "error"))[0]);
  } catch (error) {
    record?.end();
    throw error;
  }
  const { pid } = child;
  const identity = identifyProcess(pid) ?? { pid, pidStart: null };
  record?.begin(identity);

  const call = { mark, leader: { ...identity, startedAt } };
  const look = options.isAlone === true ? searchFor(call, () => null) : searchFor(call);
  return new Promise((resolve, reject) => {
    let stopped: Stopped | undefined;
    let ending: Promise<readonly number[]> | undefined;
    const stop = (by: Stopped) => {
      stopped ??= by;
      // Output during the grace could fill the disk.
      if (by.ended === "flood" || by.error !== undefined) killProcesses(call);
      ending ??= endProcesses(call, { graceMs, look });
      ending.catch(fail);
    };
    const abort = () => stop({ ended: "signal" });
    // One signal may serve as many calls as a host has runs.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", abort);
    const spare = killAtExit(call);
    const watch = watchLimits(options, startedAt, stop);
    const stopWatching = () => {
      clearInterval(watch);
      signal.removeEventListener("abort", abort);
    };
    const fail = (error: unknown) => {
      stopWatching();
      reject(error);
    };
    // Not `close`, which waits for grandchildren.
    child.once("exit", (exitCode, deathSignal) => {
      const durationMs = Math.round(performance.now() - startedAt);
      const { ended, limit, error }: Stopped = stopped ?? { ended: deathSignal === null ? "exit" : "signal" };
      ending ??= endProcesses(call, { graceMs: Math.min(graceMs, leftOverGraceMs), look });
      const settle = (pids: readonly number[]) => {
        stopWatching();
        spare();
        record?.end();
        if (ended !== "flood" && !signal.aborted) {
          for (const fd of outputsOf(options)) checkWritten(fd, file, { failed: exitCode !== 0 });
        }
        if (error !== undefined && !signal.aborted) throw error;
        const isLeft = stopped === undefined && pids.length > 0;
        resolve({
          exitCode,
          signal: deathSignal,
          ended,
          ...(limit !== undefined && { limit }),
          durationMs,
          ...(isLeft && { leftBehind: pids.length }),
        });
      };
      ending.then(settle).catch(fail);
    });
  });
}

/** So that the call returns within two seconds of the exit. */
const leftOverGraceMs = 1500;
const watchEveryMs = 100;

/** What ended a command that did not end by itself. */
interface Stopped extends Pick<CommandEnd, "ended" | "limit"> {
  /** What was thrown at the look at it. */
  readonly error?: unknown;
}

/** Reports again and again which limit is exceeded, as long as it is watched. */
function watchLimits(options: CommandOptions, startedAt: number, stop: (by: Stopped) => void): NodeJS.Timeout {
  const { timeoutMs, idleTimeoutMs = Infinity, outputCapBytes = Infinity, look = () => false } = options;
  const outputs = outputsOf(options);
  let printed = 0;
  let printedAt = startedAt;
  const isIdle = (hasPrinted: boolean): boolean => {
    try {
      return look(hasPrinted);
    } catch (error) {
      stop({ ended: "signal", error });
      return false;
    }
  };
  return setInterval(() => {
    const now = performance.now();
    const size = outputs.reduce((sum, fd) => sum + fstatSync(fd).size, 0);
    const isMore = size !== printed;
    if (isMore) printedAt = now;
    printed = size;
    if (size > outputCapBytes) stop({ ended: "flood", limit: outputCapBytes });
    else if (now - startedAt >= timeoutMs) stop({ ended: "timeout", limit: timeoutMs });
    else if (now - printedAt >= idleTimeoutMs) stop({ ended: "idle", limit: idleTimeoutMs });
    // Also while it is ended: it may print all the more.
    if (isIdle(isMore)) stop({ ended: "idle" });
  }, watchEveryMs);
}

const outputsOf = ({ stdout, stderr }: Pick<CommandOptions, "stdout" | "stderr">): number[] =>
  [stdout, stderr].filter((fd) => fd !== undefined);

/** @throws {EnvironmentError} `command-not-started`, `output-not-opened` */
function startChild(
  file: string,
  args: readonly string[],
  { cwd, env, stdin = "", stdout, stderr }: CommandOptions,
): ChildProcess {
  const input = stdin.length === 0 ? "ignore" : openInput(stdin);
  try {
    return spawn(file, args, { cwd, env, detached: true, stdio: [input, stdout ?? "ignore", stderr ?? "ignore"] });
  } catch (cause) {
    throw notStarted(file, cwd, cause);
  } finally {
    if (input !== "ignore") closeSync(input);
  }
}

function notStarted(file: string, cwd: string, cause: unknown): EnvironmentError {
  const errno = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  // Node reports a missing folder as a missing program.
  const expected = isFolder(cwd) ? "a program that can be run" : "the folder to exist";
  return new EnvironmentError(`Cannot start command \`${file}\` in \`${cwd}\` (${errno}), expected ${expected}`, {
    code: "command-not-started",
    cause,
  });
}
