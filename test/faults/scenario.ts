export interface Scenario {
  readonly name: string;
  /** Script for sh. `$SIZE`: bytes of a flood. `$MARK`: a number above 60 that identifies the process. */
  readonly script?: string;
  readonly command?: string;
  readonly program?: string;
  readonly file?: string;
  readonly promptBytes?: number;
  readonly homeless?: boolean;
  readonly crowded?: boolean;
  readonly preset?: string;
  readonly limits?: Limits;
  readonly expected: Expected;
}

interface Limits {
  readonly taskTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly graceMs?: number;
  readonly outputCap?: number;
  readonly abortAfterMs?: number;
}

interface Expected {
  readonly error?: readonly [code: string, errno: string];
  /** Another permitted error code, because a busy machine may detect the processes too late. */
  readonly orError?: string;
  readonly ended?: string;
  readonly exitCode?: number;
  readonly text?: string | RegExp;
  readonly stderr?: string | RegExp;
  readonly afterMs?: number;
  readonly escaped?: number;
}

export interface Measurement {
  readonly error: readonly [code: string, message: string] | null;
  readonly ended: string | null;
  readonly exitCode: number | null;
  readonly text: string;
  readonly stderr: string;
  readonly ms: number;
  readonly writtenBytes: number;
  readonly keptBytes: number;
  readonly memoryBytes: number;
  readonly peakBytes: number;
  readonly descriptors: number;
  readonly alive: number;
}

const mostMemoryBytes = 50 * 1024 ** 2;
const mostKeptBytes = 65 * 1024 ** 2;
/** A flood may print this much between two samples, and until its processes end. */
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
