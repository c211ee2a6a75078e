import { fingerprint } from "../model/text.ts";
import type { Reading, SaidReader } from "./reader.ts";
import { splitOutput } from "./split-output.ts";

/** Patterns of a line that counts failures: `3 failed, 4 passed`, `Failures: 2`, `Found 12 errors`. */
const counting = [
  /(?:^|[\s:,;([])(\d{1,9}) (?:\w{1,20} )?(?:failed|failures?|failing|errors?|problems?)\b/i,
  /\b(?:failed|failures?|failing|errors?|problems?)(?: \w{1,20})?[:=] {0,4}(\d{1,9})\b/i,
];

const passing = [
  /(?:^|[\s:,;([])(\d{1,9}) (?:\w{1,20} )?(?:passed|passing|succeeded|ok)\b/i,
  /\b(?:passed|passing|succeeded|ok)[:=] {0,4}(\d{1,9})\b/i,
];

const skipping = [
  /(?:^|[\s:,;([])(\d{1,9}) (?:\w{1,20} )?(?:skipped|pending|ignored)\b/i,
  /\b(?:skipped|pending|ignored)[:=] {0,4}(\d{1,9})\b/i,
];

const mayCount = /fail|error|problem|pass|\d(?: ?\/ ?| of | out of )\d/i;
/** `# fail 3`, from the last lines of TAP. */
const tapCount = /^# (tests|pass|fail|skipped) {1,4}(\d{1,9})$/;
/** A score: `33/49`, `Score: 33 of 49`, `33/49 passed`. */
const score = /(?:^|[\s:=([])(\d{1,9})(?: ?\/ ?| of | out of )(\d{1,9})(?=$|[\s.,;:!%)\]])/i;
const bareScore = /^\s{0,8}\d{1,9} ?\/ ?\d{1,9}\s{0,8}$/;
/** Words about a score, but not as a part of a path. */
const scoreWords = /(?<![\w/.-])(?:scored?|pass(?:e[ds]|ing)?|succeeded|correct|solved|ok|points|graded?)(?![\w/-])/i;
const failWords = /(?<![\w/.-])(?:fail(?:ed|s|ing|ures?)?|wrong|broken|incorrect)(?![\w/-])/i;

interface OwnCounts {
  readonly failed: number;
  readonly ran: number | null;
  readonly skipped: number | null;
}

/**
 * Read the counts that any program prints in its output. `failures` comes from the last line that counts failures,
 * `checks` from the last line with any count, even if that line counts only passed checks.
 */
export function countOwn(): SaidReader<{ readonly failures: Reading | null; readonly checks: OwnCounts | null }> {
  let failures: OwnCounts | null = null;
  let checks: OwnCounts | null = null;
  const count = (counted: OwnCounts, countsFailures: boolean): void => {
    checks = counted;
    if (countsFailures) failures = counted;
  };
  const tap = new Map<string, number>();
  const readTap = (name: string, number: number): void => {
    tap.set(name, number);
    const [failed, passed] = [tap.get("fail"), tap.get("pass")];
    const ran = passed === undefined ? (tap.get("tests") ?? null) : (failed ?? 0) + passed;
    count({ failed: failed ?? 0, ran, skipped: tap.get("skipped") ?? null }, failed !== undefined);
  };
  return {
    read: (line) => {
      if (line.length > 300 || !(mayCount.test(line) || line.startsWith("# "))) return;
      const [, name, number] = tapCount.exec(line) ?? [];
      if (name !== undefined) return readTap(name, Number(number));
      const failed = numberIn(line, counting);
      const passed = numberIn(line, passing);
      const skipped = numberIn(line, skipping);
      const scored = scoreIn(line);
      if (scored !== null) count({ ...scored, skipped }, true);
      else if (failed !== null) count({ failed, ran: passed === null ? null : failed + passed, skipped }, true);
      else if (passed !== null) count({ failed: 0, ran: passed, skipped }, false);
    },
    end: () => {
      const { failed, ran } = failures ?? { failed: 0, ran: null };
      return { failures: failed === 0 ? null : { findings: [], failed, ran: ran ?? undefined }, checks };
    },
  };
}

function scoreIn(line: string): { readonly failed: number; readonly ran: number } | null {
  const [, some, all] = score.exec(line) ?? [];
  if (all === undefined || Number(some) > Number(all) || Number(all) === 0) return null;
  const isOfFailed = failWords.test(line);
  const isOfPassed = scoreWords.test(line);
  // A fraction with other words on its line counts something else, such as steps or days.
  if (!isOfPassed && !isOfFailed && !bareScore.test(line)) return null;
  // `33/49 passed, 16 failed` has both words: the fraction counts passes.
  const failed = isOfFailed && !isOfPassed ? Number(some) : Number(all) - Number(some);
  return { failed, ran: Number(all) };
}

function numberIn(line: string, forms: readonly RegExp[]): number | null {
  for (const form of forms) {
    const [, digits] = form.exec(line) ?? [];
    if (digits !== undefined) return Number(digits);
  }
  return null;
}

/** Hashes of an output's lines, without parts that differ between runs. */
export type LineNames = ReadonlySet<string>;

const keptNames = 20_000;
const keptLines = 50;
/** Maximum number of characters read of a line. */
const looked = 300;

/** Hash the lines of an output that comes in pieces, for comparison with a later run of the same command. */
export function nameLines(): { readonly write: (piece: string) => void; readonly end: () => LineNames } {
  const names = new Set<string>();
  const lines = splitOutput((line) => {
    if (names.size < keptNames && line.trim() !== "") names.add(nameOf(line));
  });
  return {
    write: lines.write,
    end: () => {
      lines.end();
      return names;
    },
  };
}

/** Find the last lines that were not printed before, in order. */
export function findDifferingLines(before: LineNames): SaidReader<readonly string[]> {
  let found: string[] = [];
  return {
    read: (line) => {
      const text = line.trim();
      if (text === "" || before.has(nameOf(text))) return;
      found.push(text.slice(0, looked));
      if (found.length > 2 * keptLines) found = found.slice(-keptLines);
    },
    end: () => found.slice(-keptLines),
  };
}

const nameOf = (line: string): string => fingerprint(line.trim().slice(0, looked));

const keptHead = 2000;
const keptTail = 6000;

export function keepEnds() {
  let head = "";
  let tail: string[] = [];
  let tailLength = 0;
  let hasTail = false;
  let last: string | null = null;
  let isTelling = false;
  return {
    read: (line: string): void => {
      const said = line.trim();
      const tells = /[\p{L}\p{N}]/u.test(said);
      if (tells || (said !== "" && !isTelling)) last = said;
      isTelling ||= tells;
      if (!hasTail && head.length + line.length < keptHead) {
        head += `${line}\n`;
        return;
      }
      hasTail = true;
      tail.push(line);
      tailLength += line.length + 1;
      // Trimming for each line would be slow if lines are short.
      if (tailLength <= 2 * keptTail && tail.length <= keptTail) return;
      tail = lastLines(tail);
      tailLength = tail.reduce((sum, each) => sum + each.length + 1, 0);
    },
    /** The last line with a letter or digit, else the last line that is not blank; null if all lines are blank. */
    last: () => last,
    ends: () => ({ head: head.trimEnd(), tail: lastLines(tail).join("\n").trimEnd() }),
  };
}

/** The last whole lines that fit; the end of the last line if it is too long. */
function lastLines(lines: readonly string[]): string[] {
  let left = keptTail;
  const from = lines.findLastIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  const kept = lines.slice(from + 1);
  return kept.length > 0 || lines.length === 0 ? kept : [(lines.at(-1) as string).slice(-keptTail)];
}
