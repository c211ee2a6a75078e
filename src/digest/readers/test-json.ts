import { type Finding, firstLine, type LineReader, listFindings, type ToolReader } from "../reader.ts";
import { type Fields, fieldsOf, listOf, numberOf, stackPlace, textOf } from "../shapes.ts";
import { playwrightId } from "./mocha.ts";

export const jestJson: ToolReader = { tool: "jest", kind: "report", open: () => readSuites("numFailedTestSuites") };

/** Vitest with its JSON reporter, which has Jest's form except for the first key. */
export const vitestJson: ToolReader = { tool: "vitest", kind: "report", open: () => readSuites("numTotalTestSuites") };

function readSuites(firstKey: string): LineReader {
  const found = listFindings();
  return readJson((report) => {
    if (Object.keys(report)[0] !== firstKey) return;
    found.count({});
    for (const suite of listOf(report["testResults"]).map(fieldsOf)) {
      const file = textOf(suite["name"]);
      const all = listOf(suite["assertionResults"]).map(fieldsOf);
      const tests = all.filter(({ status }) => status === "failed");
      const passed = all.filter(({ status }) => status === "passed").length;
      found.count({ passed, failed: tests.length, skipped: all.length - passed - tests.length });
      for (const test of tests) {
        const names = [...listOf(test["ancestorTitles"]).map(textOf), textOf(test["title"])].filter(
          (name) => name !== "",
        );
        const id = [file, ...names].join(" > ").replaceAll(" › ", " > ");
        found.add(failureOf(id, file, textOf(listOf(test["failureMessages"])[0])));
      }
      if (suite["status"] === "failed" && tests.length === 0 && file !== "") {
        found.count({ broken: 1 });
        const said = textOf(suite["message"]);
        found.add(failureOf(file, file, said.replace(/^\s{0,4}● Test suite failed to run\s{0,8}/, "")));
      }
    }
  }, found.end);
}

export const mochaJson: ToolReader = { tool: "mocha", kind: "report", open: readMochaJson };

function readMochaJson(): LineReader {
  const found = listFindings();
  return readJson((report) => {
    const stats = fieldsOf(report["stats"]);
    const failed = numberOf(stats["failures"]);
    if (failed === null) return;
    found.count({ failed, passed: listOf(report["passes"]).length, skipped: listOf(report["pending"]).length });
    for (const test of listOf(report["failures"]).map(fieldsOf)) {
      const error = fieldsOf(test["err"]);
      const file = textOf(test["file"]);
      const finding = failureOf(textOf(test["fullTitle"]), file === "" ? null : file, textOf(error["stack"]));
      found.addEach({
        ...finding,
        message: textOf(error["message"]).split("\n", 3).join(" ").trim() || finding.message,
        ...(typeof error["expected"] === "string" && { expected: error["expected"] }),
        ...(typeof error["actual"] === "string" && { actual: error["actual"] }),
      });
    }
  }, found.end);
}

export const playwrightJson: ToolReader = { tool: "playwright", kind: "report", open: readPlaywrightJson };

const playwrightOutcomes = new Map([
  ["expected", "passed"],
  ["flaky", "passed"],
  ["unexpected", "failed"],
]);

const deepest = 100;

function readPlaywrightJson(): LineReader {
  const found = listFindings();
  const readSuite = (suite: Fields, root: string, above: readonly string[]): void => {
    for (const spec of listOf(suite["specs"]).map(fieldsOf)) {
      for (const test of listOf(spec["tests"]).map(fieldsOf)) {
        const outcome = playwrightOutcomes.get(textOf(test["status"])) ?? "skipped";
        found.count({ [outcome]: 1 });
        if (outcome !== "failed") continue;
        const file = `${root}${textOf(spec["file"])}`;
        const results = listOf(test["results"]).map(fieldsOf);
        const said = textOf(fieldsOf(results.at(-1)?.["error"])["message"]);
        const id = playwrightId(textOf(test["projectName"]), file, [...above, textOf(spec["title"])]);
        found.add({ id, file, line: numberOf(spec["line"]), message: firstLine(said).replace(/^Error: /, "") });
      }
    }
    if (above.length >= deepest) return;
    for (const inner of listOf(suite["suites"]).map(fieldsOf)) {
      readSuite(
        inner,
        root,
        [...above, textOf(inner["title"])].filter((name) => name !== ""),
      );
    }
  };
  return readJson((report) => {
    if (numberOf(fieldsOf(report["stats"])["unexpected"]) === null) return;
    found.count({});
    const folder = textOf(fieldsOf(report["config"])["rootDir"]);
    // The outermost suites are files, which are already in the id.
    for (const suite of listOf(report["suites"]).map(fieldsOf)) readSuite(suite, folder === "" ? "" : `${folder}/`, []);
  }, found.end);
}

function failureOf(id: string, file: string | null, stack: string): Finding {
  const place = stack
    .slice(0, 8000)
    .split("\n")
    .map(stackPlace)
    .find((each) => each !== null);
  return {
    id,
    file: place?.file ?? file,
    line: place?.line ?? null,
    message: firstLine(stack).replace(/^(?:Assertion)?Error: /, ""),
  };
}

const readJson = (read: (report: Fields) => void, end: LineReader["end"]): LineReader => ({
  json: (report) => read(fieldsOf(report)),
  end,
});
