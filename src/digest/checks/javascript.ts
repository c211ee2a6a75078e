import {
  type ChecksReader,
  type ChecksTool,
  indentOf,
  numberAt,
  numbersIn,
  openTally,
  openTitles,
  withoutTime,
} from "./tally.ts";

/** Vitest where it prints for people; its verbose reporter names each test. */
export const vitest: ChecksTool = { tool: "vitest", kind: "tests", open: openVitest };

const vitestSum = /^ {1,8}Tests {1,4}(\S.{0,200})$/;
const vitestTest = /^ {1,4}([✓↓]) (\S.{0,1000})$/;

function openVitest(): ChecksReader {
  const tally = openTally();
  return {
    read: (line) => {
      const [, told] = vitestSum.exec(line) ?? [];
      const count = numbersIn(told ?? "");
      if (told !== undefined && /\(\d{1,9}\)$|no tests/.test(told)) {
        const passed = count("passed", "expected fail");
        tally.count({ passed, failed: count("failed"), skipped: count("skipped", "todo") });
        return;
      }
      if (line.startsWith("No test files found")) tally.count({});
      const [, sign, shown = ""] = vitestTest.exec(line) ?? [];
      if (sign === undefined || !shown.includes(" > ")) return;
      const id = withoutTime(shown.replace(/ \[(?:skipped|todo)\]$/, ""));
      if (sign === "✓") tally.pass(id);
      else tally.skip(id);
    },
    end: tally.end,
  };
}

/** Jest where it prints for people; it names each test when it is verbose, or runs one file. */
export const jest: ChecksTool = { tool: "jest", kind: "tests", open: openJest };

const jestFile = /^ ?(?:FAIL|PASS) {1,4}(\S.*)$/;
const jestSum = /^Tests: {1,12}(.{0,200}), \d{1,9} total$/;
const jestTest = /^( {2,200})([✓○✎✕]) (\S.*)$/;

function openJest(): ChecksReader {
  const tally = openTally();
  const titles = openTitles();
  let file: string | null = null;
  const readTest = (line: string): void => {
    const [, inset, sign, shown = ""] = jestTest.exec(line) ?? [];
    if (inset === undefined) {
      titles.open(indentOf(line) / 2 - 1, line.trim());
      return;
    }
    const path = titles.at(
      inset.length / 2 - 1,
      withoutTime(shown.replace(/^(?:skipped|todo) /, sign === "✓" ? "$&" : "")),
    );
    if (path === null || sign === "✕") return;
    const id = [file, ...path].join(" > ").replaceAll(" › ", " > ");
    if (sign === "✓") tally.pass(id);
    else tally.skip(id);
  };
  return {
    read: (line) => {
      const [, shown] = jestFile.exec(line) ?? [];
      if (shown !== undefined) {
        file = shown
          .replace(/ \(\d[^()]{0,60}\)$/, "")
          .trim()
          .replace(/^\.\//, "");
        titles.clear();
      } else if (line.startsWith("Tests: ")) {
        const [, told] = jestSum.exec(line) ?? [];
        const count = numbersIn(told ?? "");
        if (told !== undefined)
          tally.count({ passed: count("passed"), failed: count("failed"), skipped: count("skipped", "todo") });
        else if (/^Tests: {1,12}0 total$/.test(line)) tally.count({});
      } else if (line.startsWith("No tests found")) tally.count({});
      else if (line.trim() === "") file = null;
      else if (file !== null && line.startsWith("  ")) readTest(line);
    },
    end: tally.end,
  };
}

/** Mocha where it prints for people; its usual reporter names each test. */
export const mocha: ChecksTool = { tool: "mocha", kind: "tests", open: openMocha };

const mochaSum = /^ {2}(\d{1,9}) (passing|failing|pending)(?: \(\d[^()]{0,20}\))?$/;

function openMocha(): ChecksReader {
  const tally = openTally();
  const titles = openTitles();
  let isSummed = false;
  return {
    read: (line) => {
      const match = mochaSum.exec(line);
      if (match !== null) {
        const number = numberAt(match, 1);
        if (match[2] === "passing" && line.endsWith(")")) {
          isSummed = true;
          tally.count({ passed: number });
        } else if (isSummed) tally.count(match[2] === "failing" ? { failed: number } : { skipped: number });
        return;
      }
      if (isSummed || !line.startsWith("  ")) return;
      const depth = indentOf(line) / 2 - 1;
      const [, sign, name = ""] = /^([✔✓-]|\d{1,9}\)) (\S.*)$/.exec(line.trim()) ?? [];
      if (sign === undefined) return titles.open(depth, line.trim());
      const id = titles.at(depth, withoutTime(name))?.join(" ");
      if (id === undefined || /\d/.test(sign)) return;
      if (sign === "-") tally.skip(id);
      else tally.pass(id);
    },
    end: () => (isSummed ? tally.end() : null),
  };
}

/** Playwright where it prints for people. */
export const playwright: ChecksTool = { tool: "playwright", kind: "tests", open: openPlaywright };

const playwrightSum = /^ {2}(\d{1,9}) (passed|failed|interrupted|flaky|skipped|did not run)(?: \(\d[^()]{0,20}\))?$/;

function openPlaywright(): ChecksReader {
  /** The last of each kind: a test may print such a line, too. */
  const counts = new Map<string, number>();
  let isOpen = false;
  return {
    read: (line) => {
      isOpen ||= /^Running \d{1,9} tests? using \d{1,5} workers?/.test(line) || line === "Error: No tests found";
      const match = isOpen ? playwrightSum.exec(line) : null;
      if (match !== null) counts.set(match[2] ?? "", numberAt(match, 1));
    },
    end: () => {
      if (!isOpen) return null;
      const tally = openTally();
      const count = (...kinds: string[]): number => kinds.reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0);
      tally.count({
        passed: count("passed", "flaky"),
        failed: count("failed", "interrupted"),
        skipped: count("skipped", "did not run"),
      });
      return tally.end();
    },
  };
}
