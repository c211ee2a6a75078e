import { parseJson } from "../../model/interpreted.ts";
import { parentsOf } from "../readers/go.ts";
import { fieldsOf, textOf } from "../shapes.ts";
import { type ChecksReader, type ChecksTool, numbersIn, openTally, valuesIn } from "./tally.ts";

/** The tests of Go; with `-v` or `-json` each is named. */
export const goTest: ChecksTool = { tool: "go test", kind: "tests", open: openGo };

const goResult = /^ {0,400}--- (FAIL|PASS|SKIP): (\S{1,1000}) \(\d/;
const goPackage =
  /^(?:FAIL|ok {2})\t(\S{1,500})(?:\t(?:\d[\d.]{0,20}s|\(cached\))(?:\t.{0,200}?)?( ?\[no tests to run\])?)/;
const goNone = /^\?? {0,8}\t\S{1,500}\t\[no test files\]$/;

function openGo(): ChecksReader {
  /** Outcomes by package and test. */
  const outcomes = new Map<string, string>();
  let open: [test: string, outcome: string][] = [];
  let isKnown = true;
  let isVerbose = false;
  let isGo = false;
  const endPackage = (pack: string): void => {
    for (const [test, outcome] of open) if (outcomes.size < 20_000) outcomes.set(`${pack} ${test}`, outcome);
    open = [];
  };
  const readEvent = (line: string): void => {
    const event = fieldsOf(parseJson(line));
    const [action, pack, test] = [textOf(event["Action"]), textOf(event["Package"]), textOf(event["Test"])];
    if (!/^(?:pass|fail|skip)$/.test(action) || pack === "") return;
    isGo = true;
    if (test !== "" && outcomes.size < 20_000) outcomes.set(`${pack} ${test}`, action.toUpperCase());
  };
  return {
    read: (line) => {
      if (line.startsWith('{"Time"') || line.startsWith('{"Action"')) return readEvent(line);
      if (line.startsWith("=== RUN ")) isVerbose = true;
      const [, outcome, test] = goResult.exec(line) ?? [];
      if (outcome !== undefined && test !== undefined) {
        if (open.length < 20_000) open.push([test, outcome]);
        return;
      }
      if (goNone.test(line)) isGo = true;
      const [all, pack, none] = goPackage.exec(line) ?? [];
      if (all === undefined || pack === undefined) return;
      isGo = true;
      // Without names it is not known how many there were.
      isKnown &&= none !== undefined || isVerbose;
      endPackage(pack);
    },
    end: () => {
      if (!isGo || !isKnown) return null;
      const tally = openTally();
      // A test passes or fails with its subtests.
      const parents = new Set([...outcomes.keys()].flatMap(parentsOf));
      for (const [id, outcome] of outcomes) {
        if (parents.has(id)) continue;
        if (outcome === "PASS") tally.pass(id);
        else if (outcome === "SKIP") tally.skip(id);
        else tally.fail();
      }
      if (tally.end() === null) tally.count({});
      return tally.end();
    },
  };
}

/** The tests of Rust as cargo runs them. */
export const cargoTest: ChecksTool = { tool: "cargo test", kind: "tests", open: openCargo };

const cargoResult = /^test result: (?:ok|FAILED)\. (.{1,300})$/;
const cargoProgress = /^test (\S.{0,500}) \.\.\. (ok|ignored|FAILED)\b/;

function openCargo(): ChecksReader {
  const tally = openTally();
  let isSummed = false;
  return {
    read: (line) => {
      const [, told] = cargoResult.exec(line) ?? [];
      if (told !== undefined) {
        const count = numbersIn(told);
        tally.count({ passed: count("passed"), failed: count("failed"), skipped: count("ignored") });
        isSummed = true;
        return;
      }
      const [, name = "", outcome] = cargoProgress.exec(line) ?? [];
      const id = name.replace(/ - (?:should panic|compile fail|compile)$/, "").replace(/ \(line \d{1,9}\)$/, "");
      if (outcome === "ok") tally.pass(id);
      else if (outcome === "FAILED") tally.fail(id);
      else if (outcome !== undefined) tally.skip(id);
    },
    end: () => (isSummed ? tally.end() : null),
  };
}

/** The tests that Maven runs, by the sums of its modules. */
export const maven: ChecksTool = { tool: "maven", kind: "tests", open: openMaven };

const mavenSum =
  /^(?:\[(?:INFO|WARNING|ERROR)\] {1,4})?(Tests run: \d{1,9}, Failures: \d{1,9}, Errors: \d{1,9}, Skipped: \d{1,9})$/;

function openMaven(): ChecksReader {
  const tally = openTally();
  return {
    read: (line) => {
      const [, told] = mavenSum.exec(line) ?? [];
      if (told !== undefined) {
        const count = valuesIn(told);
        const failed = count("Failures", "Errors");
        const skipped = count("Skipped");
        tally.count({ passed: count("Tests run") - failed - skipped, failed, skipped });
      } else if (/^(?:\[INFO\] )?No tests to run\.$/.test(line)) tally.count({});
    },
    end: tally.end,
  };
}

/** The tests that Gradle runs, where it is told to log them or some have failed. */
export const gradle: ChecksTool = { tool: "gradle", kind: "tests", open: openGradle };

const gradleTest = /^(\S.{0,500} > .{1,500}) (PASSED|SKIPPED|FAILED)$/;
const gradleSum = /^(\d{1,9}) tests? completed, (.{1,200})$/;

function openGradle(): ChecksReader {
  const tally = openTally();
  let isGradle = false;
  return {
    read: (line) => {
      if (/^BUILD (?:SUCCESSFUL|FAILED) in \d/.test(line)) isGradle = true;
      const [, all, told = ""] = gradleSum.exec(line) ?? [];
      if (all !== undefined) {
        const count = numbersIn(told);
        const [failed, skipped] = [count("failed"), count("skipped")];
        tally.count({ passed: Number(all) - failed - skipped, failed, skipped });
        isGradle = true;
        return;
      }
      const [, id = "", outcome] = gradleTest.exec(line) ?? [];
      if (outcome === "PASSED") tally.pass(id);
      else if (outcome === "SKIPPED") tally.skip(id);
      else if (outcome === "FAILED") tally.fail();
    },
    end: () => (isGradle ? tally.end() : null),
  };
}

/** `dotnet test`; it names what passed when it is told to. */
export const dotnetTest: ChecksTool = { tool: "dotnet test", kind: "tests", open: openDotnet };

const dotnetSum = /^(?:Failed|Passed|Skipped)! {1,4}- (Failed: .{1,200})$/;
const dotnetTestLine = /^ {2}(Passed|Skipped) (\S.{0,500}) \[(?:< )?\d[^\]]{0,30}\]$/;

function openDotnet(): ChecksReader {
  const tally = openTally();
  return {
    read: (line) => {
      const [, told] = dotnetSum.exec(line) ?? [];
      if (told !== undefined) {
        const count = valuesIn(told);
        tally.count({ passed: count("Passed"), failed: count("Failed"), skipped: count("Skipped") });
        return;
      }
      const [, outcome, id = ""] = dotnetTestLine.exec(line) ?? [];
      if (outcome === "Passed") tally.pass(id);
      else if (outcome !== undefined) tally.skip(id);
    },
    end: tally.end,
  };
}
