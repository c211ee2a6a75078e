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

/** Variables of a process; undefined values are omitted. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface CommandOptions {
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Environment;
  /** Complete input (empty by default). */
  readonly stdin?: string | Buffer;
  /** Whether the program starts no other programs, so that only its group is searched after its end. Default: false. */
  readonly isAlone?: boolean;
  /** Descriptor of a file for stdout, which stays open. Without a descriptor, stdout is discarded. */
  readonly stdout?: number;
  readonly stderr?: number;
  /** Time limit, checked every tenth of a second. */
  readonly timeoutMs: number;
  /** Time limit without output (none by default). */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * Called ten times a second. `hasPrinted` is true if the program printed since the last call. Returns true if the
   * program only waits, so that it is ended like a silent program. If this throws, the program is killed at once, and
   * the error is rethrown after its end.
   */
  readonly look?: ((hasPrinted: boolean) => boolean) | undefined;
  /** Limit of the output of both streams together, in bytes (none by default). */
  readonly outputCapBytes?: number | undefined;
  /**
   * Grace period before a kill (5 s by default). The period is at most 1.5 s after the program itself has exited. A
   * program with too much output is killed without a grace period.
   */
  readonly graceMs?: number | undefined;
}

export interface CommandEnd {
  /** Null if a signal ended the program. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why the program ended. A limit is also the reason if the program exited by itself after SIGTERM. */
  readonly ended: Exclude<Ending, "spawn">;
  /** The limit that ended the program: time and silence in milliseconds, output in bytes. */
  readonly limit?: number;
  readonly durationMs: number;
  /** Number of processes that still ran after the program and were ended; absent if there were none. */
  readonly leftBehind?: number;
}

/**
 * Run a program in its own process group, without a shell, and end all processes it leaves behind. Output goes into
 * files, so that inherited descriptors do not delay the end, and a flood costs no memory. The program's processes are
 * found by an environment variable, even after `setsid` or a second fork. Only a process that clears its environment,
 * leaves the group and outlives its parent is missed.
 *
 * @param signal Ends the program like a limit does.
 * @throws {EnvironmentError} `command-not-started`; `processes-left` if some survive SIGKILL; `output-not-written` if
 *   output may be missing; errors of `look`.
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
  // Each call has a separate variable name, so that a call made inside another call is found by both marks.
  const mark = { [`FIXPOINT_CALL_${randomBytes(8).toString("hex")}`]: "1" };
  const { FIXPOINT_SPEC: spec, FIXPOINT_KEY: key } = options.env;
  const record = spec === undefined || key === undefined ? null : recordCall({ spec, key });
  let child: ChildProcess;
  try {
    child = startChild(file, args, { ...options, env: { ...options.env, ...mark } });
    // A child without an id failed to start, and will emit the reason.
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
      // Kill without a grace period if output during that period could fill the disk.
      if (by.ended === "flood" || by.error !== undefined) killProcesses(call);
      ending ??= endProcesses(call, { graceMs, look });
      ending.catch(fail);
    };
    const abort = () => stop({ ended: "signal" });
    // Allow any number of listeners: a host may pass one signal to many runs.
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
    // Listen for `exit`, since `close` waits for grandchildren.
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

/** Maximum grace period of processes left behind, so that the call returns within two seconds of the exit. */
const leftOverGraceMs = 1500;
const watchEveryMs = 100;

interface Stopped extends Pick<CommandEnd, "ended" | "limit"> {
  readonly error?: unknown;
}

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
    // Call `look` even while the program is being ended: the program may still print.
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
  // Node reports a missing folder as a missing program, so check the folder.
  const expected = isFolder(cwd) ? "a program that can be run" : "the folder to exist";
  return new EnvironmentError(`Cannot start command \`${file}\` in \`${cwd}\` (${errno}), expected ${expected}`, {
    code: "command-not-started",
    cause,
  });
}
