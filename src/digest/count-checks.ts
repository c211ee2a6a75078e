import { nameOfCheck } from "../model/failure-set.ts";
import { cargoTest, dotnetTest, goTest, gradle, maven } from "./checks/compiled.ts";
import { jest, mocha, playwright, vitest } from "./checks/javascript.ts";
import { nodeSpec, nodeTap, tap } from "./checks/node.ts";
import { jestJson, junit, mochaJson, playwrightJson, rspecJson, vitestJson } from "./checks/reports.ts";
import { phpunit, pytest, rspec, unittest } from "./checks/scripted.ts";
import { type ChecksTool, mostNames, type ToolChecks } from "./checks/tally.ts";
import { readForTools, type Told, withoutRepeats } from "./split-output.ts";
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
  ...[nodeSpec, nodeTap, tap, vitest, jest, mocha, playwright],
  ...[pytest, unittest],
  ...[goTest, cargoTest, maven, gradle, dotnetTest],
  ...[rspec, phpunit],
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
  const own = countChecksIn();
  const output = readForTools<ToolChecks, ChecksTool>(tools, own.read);
  return {
    write: output.write,
    end: () => {
      const told = output.end();
      const counted = own.end();
      return told.length > 0
        ? sumUp(told)
        : { ...unnamed, ran: counted?.ran ?? null, skipped: counted?.skipped ?? null };
    },
  };
}

const unnamed = { passed: null, skippedNames: null };

type ToldChecks = readonly Told<ChecksTool, ToolChecks>[];

function sumUp(told: ToldChecks): CheckCounts {
  const counting = withoutRepeats(told);
  const sum = (key: "passed" | "failed" | "skipped"): number => counting.reduce((all, { read }) => all + read[key], 0);
  return {
    ran: sum("passed") + sum("failed"),
    skipped: sum("skipped"),
    passed: namesOf(counting, "passedIds"),
    skippedNames: namesOf(counting, "skippedIds"),
  };
}

function namesOf(told: ToldChecks, key: "passedIds" | "skippedIds"): string[] | null {
  if (told.some(({ read }) => read[key] === null)) return null;
  const names = told.flatMap(({ tool: { tool }, read }) => (read[key] ?? []).map((id) => nameOfCheck({ tool, id })));
  return names.length > mostNames ? null : [...new Set(names)].sort();
}
