export interface Scenario {
  readonly name: string;
  /**
   * The script of the executor, in sh. A flood has `$SIZE` bytes; any process that must be found without its
   * environment has `$MARK`, a number of seconds over 60, in its command line.
   */
  readonly script?: string;
  /** The command line of the executor, in the workspace, in place of a script. */
  readonly command?: string;
  /** A required program that not every machine has. */
  readonly program?: string;
  /** The script file's whole text instead of `#!/bin/sh` and the script. */
  readonly file?: string;
  /** Length of the prompt, in bytes. */
  readonly promptBytes?: number;
  /** Whether the folder of the executor is missing. */
  readonly homeless?: boolean;
  /** Whether no process may be started. */
  readonly crowded?: boolean;
  /** The known tool whose events the executor prints; without one, stdout is the message. */
  readonly preset?: string;
  readonly limits?: Limits;
  readonly expected: Expected;
}

interface Limits {
  /** Time limit of the task; 10 minutes by default. */
  readonly taskTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly graceMs?: number;
  readonly outputCap?: number;
  readonly abortAfterMs?: number;
}

interface Expected {
  /** Code of the error, and the errno in its message. */
  readonly error?: readonly [code: string, errno: string];
  /** Code of another permitted error, for machines too busy to catch the processes in time. */
  readonly orError?: string;
  readonly ended?: string;
  readonly exitCode?: number;
  /** The expected message: the whole text, or a regular expression for a part. */
  readonly text?: string | RegExp;
  readonly stderr?: string | RegExp;
  /** The minimum time until the reply. */
  readonly afterMs?: number;
  /** Number of processes that escape through a known gap. */
  readonly escaped?: number;
}

export interface Measurement {
  readonly error: readonly [code: string, message: string] | null;
  readonly ended: string | null;
  readonly exitCode: number | null;
  readonly text: string;
  readonly stderr: string;
  readonly ms: number;
  /** The maximum disk space of both output files, sampled periodically. */
  readonly writtenBytes: number;
  /** The disk space of both output files at the end. */
  readonly keptBytes: number;
  /** The peak increase in memory of the calling program. */
  readonly memoryBytes: number;
  /** The peak memory of the calling program. */
  readonly peakBytes: number;
  /** Number of descriptors that the call left open. */
  readonly descriptors: number;
  /** Number of processes of the call that are alive 10 s after it. */
  readonly alive: number;
}

const mostMemoryBytes = 50 * 1024 ** 2;
/** Maximum disk space of the kept part of both streams, with a page or two. */
const mostKeptBytes = 65 * 1024 ** 2;
/** The maximum output of a flood between two samples, and until its processes are dead. */
const overshootBytes = 1024 ** 3;

/** The violations in a measurement; empty if all is as expected, except for durations. */
export function violations({ expected, limits }: Scenario, seen: Measurement, sizeBytes: number): string[] {
  const { error, orError, ended, exitCode, text, stderr, afterMs = 0, escaped = 0 } = expected;
  if (orError !== undefined && seen.error?.[0] === orError) {
    return [differs("descriptors left", 0, seen.descriptors)].filter((violation) => violation !== false);
  }
  const found = [
    differs("error", error?.[0] ?? "none", seen.error?.[0] ?? "none"),
    error !== undefined && !(seen.error?.[1].includes(error[1]) ?? false) && `no ${error[1]} in ${seen.error?.[1]}`,
    ended !== undefined && differs("ended", ended, seen.ended),
    exitCode !== undefined && differs("exit code", exitCode, seen.exitCode),
    text !== undefined && !fits(text, seen.text) && `text is ${brief(seen.text)}`,
    stderr !== undefined && !fits(stderr, seen.stderr) && `stderr is ${brief(seen.stderr)}`,
    seen.ms < afterMs && `took ${seen.ms} ms only, not ${afterMs}`,
    seen.memoryBytes > mostMemoryBytes && `memory rose by ${seen.memoryBytes} bytes`,
    differs("descriptors left", 0, seen.descriptors),
    differs("processes left", escaped, seen.alive),
    limits?.outputCap !== undefined &&
      seen.writtenBytes > limits.outputCap * sizeBytes + overshootBytes &&
      `wrote ${seen.writtenBytes} bytes`,
    seen.keptBytes > mostKeptBytes && `${seen.keptBytes} bytes are left on the disk`,
  ];
  return found.filter((violation) => violation !== false);
}

const differs = (what: string, expected: unknown, seen: unknown): string | false =>
  expected !== seen && `${what}: ${seen}, not ${expected}`;

const fits = (expected: string | RegExp, seen: string): boolean =>
  typeof expected === "string" ? seen === expected : expected.test(seen);

const brief = (text: string): string =>
  JSON.stringify(text.length > 200 ? `${text.slice(0, 99)}…${text.slice(-99)}` : text);
