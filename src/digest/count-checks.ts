import { nameOfCheck } from "../model/failure-set.ts";
import { cargoTest, dotnetTest, goTest, gradle, maven } from "./checks/compiled.ts";
import { jest, mocha, playwright, vitest } from "./checks/javascript.ts";
import { nodeSpec, nodeTap, tap } from "./checks/node.ts";
import { pytest, unittest } from "./checks/python.ts";
import { jestJson, junit, mochaJson, playwrightJson, rspecJson, vitestJson } from "./checks/reports.ts";
import { phpunit, rspec } from "./checks/scripted.ts";
import { type ChecksTool, mostNames, type ToolChecks } from "./checks/tally.ts";
import { collectReports, splitOutput } from "./split-output.ts";
import { countChecksIn } from "./unknown-tool.ts";

/** What a run of a command says of its checks, whether it passed or failed. */
export interface CheckCounts {
  /** How many checks ran; null when nobody says. Zero where a tool says that there were none. */
  readonly ran: number | null;
  readonly skipped: number | null;
  /** Those that passed and that were skipped, by `nameOfCheck`, sorted; null where not each is named, or over 2 000. */
  readonly passed: readonly string[] | null;
  readonly skippedNames: readonly string[] | null;
}

/** The tools whose checks are counted. A report of a runner counts in place of what the same prints for people. */
const tools: readonly ChecksTool[] = [
  ...[junit, jestJson, vitestJson, mochaJson, playwrightJson, rspecJson],
  ...[
    nodeSpec,
    nodeTap,
    tap,
    vitest,
    jest,
    mocha,
    playwright,
    pytest,
    unittest,
    goTest,
    cargoTest,
    maven,
    gradle,
    dotnetTest,
    rspec,
    phpunit,
  ],
];

/**
 * Count the checks of a run, by what the command prints, piece by piece. Never throws; takes linear time, and memory that
 * does not grow with the output.
 *
 * @param _known The command line: tools are recognised by what they print, never by this.
 * @see docs/digest.md
 */
export function openCounts(_known: { readonly command: string }): {
  readonly write: (piece: string) => void;
  readonly end: () => CheckCounts;
} {
  const readers = tools.map((tool) => ({ tool, reader: tool.open() }));
  const own = countChecksIn();
  const reports = collectReports({
    json: (report) => {
      for (const { reader } of readers) reader.json?.(report);
    },
    xml: (report) => {
      for (const { reader } of readers) reader.xml?.(report);
    },
  });
  const lines = splitOutput((line, whole, isEnded) => {
    if (isEnded) for (const { reader } of readers) reader.read?.(line);
    reports.read(whole);
    own.read(line);
  });
  return {
    write: lines.write,
    end: () => {
      lines.end();
      reports.end();
      const told = readers.flatMap(({ tool, reader }) => {
        const checks = reader.end();
        return checks === null ? [] : [{ tool, checks }];
      });
      const counted = own.end();
      return told.length > 0
        ? sumUp(told)
        : { ...unnamed, ran: counted?.ran ?? null, skipped: counted?.skipped ?? null };
    },
  };
}

const unnamed = { passed: null, skippedNames: null };

interface Told {
  readonly tool: ChecksTool;
  readonly checks: ToolChecks;
}

function sumUp(told: readonly Told[]): CheckCounts {
  const reports = new Set(told.flatMap(({ tool: { kind, tool } }) => (kind === "report" ? [tool] : [])));
  const isAgain = ({ tool: { kind, tool } }: Told): boolean =>
    kind === "tests" && (reports.has(tool) || reports.has("junit"));
  const counting = told.filter((each) => !isAgain(each));
  const sum = (key: "passed" | "failed" | "skipped"): number =>
    counting.reduce((all, { checks }) => all + checks[key], 0);
  return {
    ran: sum("passed") + sum("failed"),
    skipped: sum("skipped"),
    passed: namesOf(counting, "passedIds"),
    skippedNames: namesOf(counting, "skippedIds"),
  };
}

function namesOf(told: readonly Told[], key: "passedIds" | "skippedIds"): string[] | null {
  if (told.some(({ checks }) => checks[key] === null)) return null;
  const names = told.flatMap(({ tool: { tool }, checks }) =>
    (checks[key] ?? []).map((id) => nameOfCheck({ tool, id })),
  );
  return names.length > mostNames ? null : [...new Set(names)].sort();
}
