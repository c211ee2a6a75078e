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
