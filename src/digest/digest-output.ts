import type { CheckCounts } from "../model/check-run.ts";
import { type FailedCheck, longestText, type OutputDigest } from "../model/failure-set.ts";
import { clamp, hashText } from "../model/text.ts";
import type { Reading, SaidReader } from "./reader.ts";
import { readForTools, type Told, withoutRepeats } from "./split-output.ts";
import { toolReaders } from "./tool-readers.ts";
import { countOwn, findDifferingLines, keepEnds, type LineNames } from "./unknown-tool.ts";

/** Facts about the command, if known. */
export interface DigestOptions {
  /** Output of the previous run of the same command, hashed by `nameLines`. */
  readonly before?: EarlierRun | null;
  /** Absolute path of the command's working folder: paths below it are made relative. */
  readonly folder?: string | null;
}

export interface EarlierRun {
  readonly passed: boolean;
  readonly lines: LineNames;
}

export interface OutputReading {
  readonly digest: OutputDigest;
  /** A count is null if no tool and no line states it, and zero if a tool reports that no check ran. */
  readonly counts: CheckCounts;
}

/**
 * Find the failed checks in the output of a command. The checks come from the first of these sources: formats of
 * supported tools, a line with the number of failures, lines that the previous run did not print, the last line. A tool
 * is recognised by its output alone. Never throws; takes linear time, and memory that does not grow with the output.
 *
 * @param stream The output, whole or in pieces of any size, unmodified and untrusted. A last line without ending counts
 *   as cut.
 * @see docs/digest.md
 */
export function digestOutput(stream: string | Iterable<string>, options: DigestOptions = {}): OutputDigest {
  const output = openOutput(options);
  for (const piece of typeof stream === "string" ? [stream] : stream) output.write(piece);
  return output.end().digest;
}

export function openOutput({ before = null, folder = null }: DigestOptions): {
  readonly write: (piece: string) => void;
  readonly end: () => OutputReading;
} {
  const ends = keepEnds();
  const counter = countOwn();
  const differing = before === null ? null : findDifferingLines(before.lines);
  const tools = readForTools(toolReaders, (line) => {
    counter.read(line);
    differing?.read(line);
    ends.read(line);
  });
  return {
    write: tools.write,
    end: () => {
      const told = tools.end();
      const own = counter.end();
      const failed = told.filter(({ read }) => read.findings.length > 0 || (read.failed ?? 0) > 0);
      const rest = { before, folder, differing, last: ends.last() };
      return {
        digest: {
          ...conclude(decisive(failed, own.failures !== null), own.failures, rest),
          ...ends.ends(),
        },
        counts: countChecks(told) ?? { ran: own.checks?.ran ?? null, skipped: own.checks?.skipped ?? null },
      };
    },
  };
}

const mostListed = 200;

/** Null if no tool states a count. */
function countChecks(told: readonly Told[]): CheckCounts | null {
  const readings = withoutRepeats(told.filter(({ read }) => read.ran !== undefined)).map(({ read }) => read);
  if (readings.length === 0) return null;
  const sum = (key: "ran" | "skipped"): number => readings.reduce((all, read) => all + (read[key] ?? 0), 0);
  return { ran: sum("ran"), skipped: sum("skipped") };
}

/** Drop repeated readings. Drop wrappers, too, if anything else reports a result. */
function decisive(told: readonly Told[], isCounted: boolean): readonly Told[] {
  const said = withoutRepeats(told).filter(({ tool }) => tool.kind !== "wrapper");
  return said.length > 0 || isCounted ? said : told;
}

type Conclusion = Omit<OutputDigest, "head" | "tail">;

function conclude(
  told: readonly Told[],
  counted: Reading | null,
  rest: Pick<DigestOptions, "before" | "folder"> & {
    differing: SaidReader<readonly string[]> | null;
    last: string | null;
  },
): Conclusion {
  const readings = told.length > 0 || counted === null ? told.map(({ read }) => read) : [counted];
  if (readings.length === 0) return concludeFromLines(rest);
  const failures = unique(
    told.flatMap(({ tool: { tool }, read }) =>
      read.findings.map((finding) => tidy(fromFolder({ tool, ...finding }, rest.folder ?? null))),
    ),
  );
  const failed = readings.reduce((sum, { failed, findings }) => sum + Math.max(failed ?? 0, findings.length), 0);
  const rans = readings.flatMap(({ ran }) => ran ?? []);
  const isNamed = failures.length > 0;
  return {
    source: isNamed ? "tools" : "count",
    // Without named failures, use the new lines or the last line.
    failures: isNamed ? failures.slice(0, mostListed) : concludeFromLines(rest).failures,
    failed: Math.max(failed, failures.length),
    ran: rans.length === readings.length ? rans.reduce((sum, ran) => sum + ran, 0) : null,
  };
}

/** Conclude without a supported tool: from the lines that are new since the previous run, else from the last line. */
function concludeFromLines({ before = null, differing, last }: Parameters<typeof conclude>[2]): Conclusion {
  const found = differing?.end() ?? [];
  const none = { failed: null, ran: null };
  if (before !== null && found.length > 0) {
    const failures = unique(
      found.map((line) => tidy({ tool: "output", id: line, file: null, line: null, message: line })),
    );
    return { source: before.passed ? "passing-run" : "failing-run", failures, ...none };
  }
  if (last === null) return { source: "nothing", failures: [], ...none };
  return {
    source: "last-line",
    failures: [tidy({ tool: "output", id: last, file: null, line: null, message: last })],
    ...none,
  };
}

const unique = (checks: readonly FailedCheck[]): FailedCheck[] =>
  [...new Map(checks.toReversed().map((check) => [`${check.tool} ${check.id}`, check])).values()].toReversed();

function fromFolder(check: FailedCheck, folder: string | null): FailedCheck {
  if (folder === null || folder === "") return check;
  const below = folder.endsWith("/") ? folder : `${folder}/`;
  const cut = (text: string): string => text.replaceAll(`file://${below}`, "").replaceAll(below, "");
  return {
    ...check,
    id: cut(check.id),
    file: check.file === null ? null : cut(check.file),
    message: cut(check.message),
  };
}

/** Maximum length of an id in code points; the rest is replaced by a hash. */
const longestId = 300;

function tidy({ tool, id, file, line, message, expected, actual }: FailedCheck): FailedCheck {
  const name = steady(onOneLine(id));
  return {
    tool,
    id: name.length <= longestId ? name : `${clamp(name, longestId - 9)}~${hashText(name)}`,
    file: file === null ? null : clamp(onOneLine(file), longestId),
    line: line !== null && Number.isSafeInteger(line) && line > 0 ? line : null,
    message: clamp(onOneLine(message), longestText) || clamp(name, longestText) || "failed",
    ...(expected !== undefined && { expected: clamp(onOneLine(expected), longestText) }),
    ...(actual !== undefined && { actual: clamp(onOneLine(actual), longestText) }),
  };
}

/** A name without addresses and ports, which change from run to run. */
const steady = (name: string): string =>
  name.replace(/\b0x[\da-f]{8,16}\b/gi, "0x").replace(/\b(127\.0\.0\.1|0\.0\.0\.0|localhost|::1?\]?):\d{1,5}\b/g, "$1");

const onOneLine = (text: string): string =>
  text
    .slice(0, 4 * longestText)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
