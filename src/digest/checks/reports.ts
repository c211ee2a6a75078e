import { type Attributes, readTags } from "../readers/junit.ts";
import { playwrightId } from "../readers/mocha.ts";
import { type Fields, fieldsOf, listOf, numberOf, textOf } from "../shapes.ts";
import { type ChecksReader, type ChecksTool, openTally, type Tally } from "./tally.ts";

/** A report in the XML of JUnit. */
export const junit: ChecksTool = {
  tool: "junit",
  kind: "report",
  open: () => {
    const tally = openTally();
    const read = (xml: string): void => {
      let test: Attributes | null = null;
      let outcome = "passed";
      const finish = (): void => {
        if (test === null) return;
        const name = test.get("name")?.trim() ?? "";
        const group = test.get("classname")?.trim() ?? "";
        const id = group === "" || group === name ? name : `${group} > ${name}`;
        take(tally, outcome, id);
        test = null;
      };
      tally.count({});
      readTags(xml, {
        open: (name, attributes, isClosed) => {
          if (name === "testcase") {
            test = attributes;
            outcome = attributes.get("status") === "notrun" ? "skipped" : "passed";
            if (isClosed) finish();
          } else if (name === "skipped") outcome = "skipped";
          else if ((name === "failure" || name === "error") && outcome === "passed") outcome = "failed";
        },
        close: (name) => {
          if (name === "testcase") finish();
        },
        text: () => {},
      });
    };
    return { xml: read, end: tally.end };
  },
};

/** Takes one check, named and counted. */
function take(tally: Tally, outcome: string, id: string): void {
  if (outcome === "passed") {
    tally.pass(id);
    tally.count({ passed: 1 });
  } else if (outcome === "failed") tally.count({ failed: 1 });
  else {
    tally.skip(id);
    tally.count({ skipped: 1 });
  }
}

const json = (tool: string, read: (report: Fields, tally: Tally) => void): ChecksTool => ({
  tool,
  kind: "report",
  open: (): ChecksReader => {
    const tally = openTally();
    return { json: (report) => read(fieldsOf(report), tally), end: tally.end };
  },
});

/** Jest and Vitest, whose reports differ in the key that comes first. */
const suites = (tool: string, firstKey: string): ChecksTool =>
  json(tool, (report, tally) => {
    if (Object.keys(report)[0] !== firstKey) return;
    tally.count({});
    for (const suite of listOf(report["testResults"]).map(fieldsOf)) {
      for (const test of listOf(suite["assertionResults"]).map(fieldsOf)) {
        const names = [...listOf(test["ancestorTitles"]).map(textOf), textOf(test["title"])].filter(
          (name) => name !== "",
        );
        take(tally, textOf(test["status"]), [textOf(suite["name"]), ...names].join(" > ").replaceAll(" › ", " > "));
      }
    }
  });

export const jestJson: ChecksTool = suites("jest", "numFailedTestSuites");
export const vitestJson: ChecksTool = suites("vitest", "numTotalTestSuites");

export const mochaJson: ChecksTool = json("mocha", (report, tally) => {
  if (numberOf(fieldsOf(report["stats"])["failures"]) === null) return;
  tally.count({ failed: listOf(report["failures"]).length });
  for (const outcome of ["passes", "pending"]) {
    for (const test of listOf(report[outcome]).map(fieldsOf))
      take(tally, outcome === "passes" ? "passed" : outcome, textOf(test["fullTitle"]));
  }
});

export const rspecJson: ChecksTool = json("rspec", (report, tally) => {
  if (!Array.isArray(report["examples"])) return;
  tally.count({});
  for (const example of listOf(report["examples"]).map(fieldsOf))
    take(tally, textOf(example["status"]), textOf(example["full_description"]));
});

/** Suites of suites that are looked at. */
const deepest = 100;

export const playwrightJson: ChecksTool = json("playwright", (report, tally) => {
  if (numberOf(fieldsOf(report["stats"])["unexpected"]) === null) return;
  tally.count({});
  const folder = textOf(fieldsOf(report["config"])["rootDir"]);
  const root = folder === "" ? "" : `${folder}/`;
  const read = (suite: Fields, above: readonly string[]): void => {
    for (const spec of listOf(suite["specs"]).map(fieldsOf)) {
      for (const test of listOf(spec["tests"]).map(fieldsOf)) {
        const names = [...above, textOf(spec["title"])];
        const status = outcomes.get(textOf(test["status"])) ?? "skipped";
        take(tally, status, playwrightId(textOf(test["projectName"]), `${root}${textOf(spec["file"])}`, names));
      }
    }
    if (above.length >= deepest) return;
    for (const inner of listOf(suite["suites"]).map(fieldsOf))
      read(
        inner,
        [...above, textOf(inner["title"])].filter((name) => name !== ""),
      );
  };
  for (const suite of listOf(report["suites"]).map(fieldsOf)) read(suite, []);
});

const outcomes = new Map([
  ["expected", "passed"],
  ["flaky", "passed"],
  ["unexpected", "failed"],
]);
