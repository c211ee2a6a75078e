export interface Scenario {
  readonly name: string;
  /**
   * sh script of the executor. `$SIZE` is the size of a flood in bytes. `$MARK` is a number of seconds above 60 that
   * identifies the command line of a process without its environment.
   */
  readonly script?: string;
  /** Command line of the executor, used instead of a script. */
  readonly command?: string;
  readonly program?: string;
  /** Whole text of the script file, used instead of `script`. */
  readonly file?: string;
  readonly promptBytes?: number;
  /** Whether the folder of the executor is missing. */
  readonly homeless?: boolean;
  /** Whether the system refuses to start a process. */
  readonly crowded?: boolean;
  /** Known tool whose events the executor prints. Without it, stdout is the message. */
  readonly preset?: string;
  readonly limits?: Limits;
  readonly expected: Expected;
}

interface Limits {
  /** Time limit of the task. Default: 10 minutes. */
  readonly taskTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly graceMs?: number;
  readonly outputCap?: number;
  readonly abortAfterMs?: number;
}

interface Expected {
  readonly error?: readonly [code: string, errno: string];
  /** Code of another permitted error, for a busy machine that catches the processes too late. */
  readonly orError?: string;
  readonly ended?: string;
  readonly exitCode?: number;
  readonly text?: string | RegExp;
  readonly stderr?: string | RegExp;
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
  /** Maximum disk space of both output files, sampled during the call. */
  readonly writtenBytes: number;
  /** Disk space of both output files after the call. */
  readonly keptBytes: number;
  /** The peak increase in memory of the calling program. */
  readonly memoryBytes: number;
  readonly peakBytes: number;
  readonly descriptors: number;
  /** Number of the call's processes that are alive 10 s after the call. */
  readonly alive: number;
}

const mostMemoryBytes = 50 * 1024 ** 2;
/** Maximum disk space of the kept part of both streams, with one or two pages to spare. */
const mostKeptBytes = 65 * 1024 ** 2;
/** Maximum output of a flood between two samples, and until its processes have ended. */
const overshootBytes = 1024 ** 3;

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
