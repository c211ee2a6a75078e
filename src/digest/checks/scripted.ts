import { sumLine } from "../readers/pytest.ts";
import { frameOf } from "../readers/pytest-parts.ts";
import { ranLine } from "../readers/unittest.ts";
import { type ChecksReader, type ChecksTool, numberAt, numbersIn, openTally, valuesIn } from "./tally.ts";

/** RSpec where it prints for people, which does not tell the whole name of an example that passed. */
export const rspec: ChecksTool = { tool: "rspec", kind: "tests", open: openRspec };

const rspecSum = /^\d{1,9} examples?, \d{1,9} failures?(?:, .{1,100})?$/;

function openRspec(): ChecksReader {
  const tally = openTally();
  return {
    read: (line) => {
      if (!rspecSum.test(line)) return;
      const count = numbersIn(line);
      const failed = count("failure", "failures");
      const skipped = count("pending");
      tally.count({ passed: count("example", "examples") - failed - skipped, failed, skipped });
    },
    end: tally.end,
  };
}

/** PHPUnit where it prints for people. */
export const phpunit: ChecksTool = { tool: "phpunit", kind: "tests", open: openPhpunit };

const phpOk = /^OK \((\d{1,9}) tests?, \d{1,9} assertions?\)$/;
const phpSum = /^Tests: \d{1,9}, Assertions: \d{1,9}.{0,200}\.$/;

function openPhpunit(): ChecksReader {
  const tally = openTally();
  return {
    read: (line) => {
      const ok = phpOk.exec(line);
      if (ok !== null) tally.count({ passed: numberAt(ok, 1) });
      else if (line === "No tests executed!") tally.count({});
      else if (phpSum.test(line)) {
        const count = valuesIn(line);
        const failed = count("Errors", "Failures");
        const skipped = count("Skipped", "Incomplete");
        tally.count({ passed: count("Tests") - failed - skipped, failed, skipped });
      }
    },
    end: tally.end,
  };
}

/** pytest; with `-v` it names each test. */
export const pytest: ChecksTool = { tool: "pytest", kind: "tests", open: openPytest };

/** What stands before a line where tests run side by side. */
const worker = /^\[gw\d{1,4}\] \[ {0,2}\d{1,3}%\] /;
const outcomeBehind = / (PASSED|SKIPPED|XFAIL|XPASS)(?: \([^()]{0,300}\))?(?: {1,80}\[ {0,2}\d{1,3}%\])?$/;
const outcomeBefore = /^(PASSED|SKIPPED|XFAIL|XPASS) (\S.*)$/;
/** A test by its file, as in `test/test_add.py::test_zero`. */
const isTest = /^\S[^:]{0,500}::./;
const noTests = /^(?:=+ )?no tests ran in \d/;

function openPytest(): ChecksReader {
  const tally = openTally();
  let isSummed = false;
  /** Sessions that have begun and not ended: one within another is what a test prints. */
  let sessions = 0;
  return {
    read: (line) => {
      if (frameOf(line, "=") === "test session starts") sessions += 1;
      const [, sums] = sumLine.exec(line) ?? [];
      if (sums !== undefined || noTests.test(line)) {
        sessions = Math.max(0, sessions - 1);
        if (sessions > 0) return;
        const count = numbersIn(sums ?? "");
        const passed = count("passed", "xpassed", "xfailed");
        tally.count({ passed, failed: count("failed", "error", "errors"), skipped: count("skipped") });
        isSummed = true;
        return;
      }
      if (!line.includes("::")) return;
      const told = line.replace(worker, "");
      const [end = "", behind] = outcomeBehind.exec(told) ?? [];
      const [, before, test] = told === line ? [] : (outcomeBefore.exec(told) ?? []);
      const id = behind === undefined ? test?.trim() : told.slice(0, told.length - end.length);
      if (id === undefined || !isTest.test(id)) return;
      if ((behind ?? before) === "SKIPPED") tally.skip(id);
      else tally.pass(id);
    },
    end: () => (isSummed ? tally.end() : null),
  };
}

/** The runner of Python's standard library; with `-v` it names each test. */
export const unittest: ChecksTool = { tool: "unittest", kind: "tests", open: openUnittest };

const named = /^(\S{1,300}) \(([^\s()]{1,500})\) \.\.\. (ok|skipped\b.{0,500}|expected failure)$/;
const verdict = /^(?:OK|FAILED|NO TESTS RAN)(?: \((.{1,200})\))?$/;

function openUnittest(): ChecksReader {
  const tally = openTally();
  let ran: number | null = null;
  let isSummed = false;
  return {
    read: (line) => {
      const match = ranLine.exec(line);
      if (match !== null) ran = numberAt(match, 1);
      const end = ran === null ? null : verdict.exec(line);
      if (ran !== null && end !== null) {
        const count = valuesIn(end[1] ?? "");
        const failed = count("failures", "errors", "unexpected successes");
        tally.count({ passed: ran - failed - count("skipped"), failed, skipped: count("skipped") });
        isSummed = true;
        ran = null;
        return;
      }
      const [, method = "", holder = "", outcome] = named.exec(line) ?? [];
      if (outcome === undefined) return;
      const id = holder.endsWith(`.${method}`) ? holder : `${holder}.${method}`;
      if (outcome.startsWith("skipped")) tally.skip(id);
      else tally.pass(id);
    },
    end: () => (isSummed ? tally.end() : null),
  };
}
