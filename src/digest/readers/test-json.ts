import { listFindings } from "../finding-list.ts";
import { type Fields, fieldsOf, listOf, numberOf, textOf } from "../json-shape.ts";
import { firstLine } from "../plain-text.ts";
import type { Finding, LineReader, Report, ToolReader } from "../reader.ts";
import { stackPlace } from "../stack-place.ts";
import { playwrightId } from "./playwright.ts";

/** Jest with `--json`. */
export const jestJson: ToolReader = { tool: "jest", kind: "report", open: () => readSuites("numFailedTestSuites") };

/** Vitest with its reporter for JSON, which has the form of Jest but for the key that comes first. */
export const vitestJson: ToolReader = { tool: "vitest", kind: "report", open: () => readSuites("numTotalTestSuites") };

function readSuites(firstKey: string): LineReader {
  const found = listFindings();
  let failed = 0;
  let ran = 0;
  return readJson(
    (report) => {
      if (Object.keys(report)[0] !== firstKey) return;
      ran += (numberOf(report["numFailedTests"]) ?? 0) + (numberOf(report["numPassedTests"]) ?? 0);
      for (const suite of listOf(report["testResults"]).map(fieldsOf)) {
        const file = textOf(suite["name"]);
        const tests = listOf(suite["assertionResults"])
          .map(fieldsOf)
          .filter(({ status }) => status === "failed");
        for (const test of tests) {
          failed += 1;
          const names = [...listOf(test["ancestorTitles"]).map(textOf), textOf(test["title"])].filter(
            (name) => name !== "",
          );
          const id = [file, ...names].join(" > ").replaceAll(" › ", " > ");
          found.add(failureOf(id, file, textOf(listOf(test["failureMessages"])[0])));
        }
        if (suite["status"] === "failed" && tests.length === 0 && file !== "") {
          failed += 1;
          const said = textOf(suite["message"]);
          found.add(failureOf(file, file, said.replace(/^\s{0,4}● Test suite failed to run\s{0,8}/, "")));
        }
      }
    },
    () => found.end({ failed, ran }),
  );
}

/** Mocha with its reporter for JSON. */
export const mochaJson: ToolReader = { tool: "mocha", kind: "report", open: readMochaJson };

function readMochaJson(): LineReader {
  const found = listFindings();
  let failed = 0;
  let ran = 0;
  return readJson(
    (report) => {
      const stats = fieldsOf(report["stats"]);
      if (numberOf(stats["failures"]) === null) return;
      failed += numberOf(stats["failures"]) ?? 0;
      ran += (numberOf(stats["failures"]) ?? 0) + (numberOf(stats["passes"]) ?? 0);
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
    },
    () => found.end({ failed, ran }),
  );
}

/** Playwright Test with its reporter for JSON. */
export const playwrightJson: ToolReader = { tool: "playwright", kind: "report", open: readPlaywrightJson };

/** Suites of suites that are looked at. */
const deepest = 100;

function readPlaywrightJson(): LineReader {
  const found = listFindings();
  let failed = 0;
  let ran = 0;
  const readSuite = (suite: Fields, root: string, above: readonly string[]): void => {
    for (const spec of listOf(suite["specs"]).map(fieldsOf)) {
      for (const test of listOf(spec["tests"]).map(fieldsOf)) {
        if (test["status"] !== "unexpected") continue;
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
  return readJson(
    (report) => {
      const stats = fieldsOf(report["stats"]);
      const unexpected = numberOf(stats["unexpected"]);
      if (unexpected === null) return;
      failed += unexpected;
      ran += unexpected + (numberOf(stats["expected"]) ?? 0) + (numberOf(stats["flaky"]) ?? 0);
      const folder = textOf(fieldsOf(report["config"])["rootDir"]);
      // The outermost suites are files, which are named before.
      for (const suite of listOf(report["suites"]).map(fieldsOf))
        readSuite(suite, folder === "" ? "" : `${folder}/`, []);
    },
    () => found.end({ failed, ran }),
  );
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

function readJson(read: (report: Fields) => void, end: LineReader["end"]): LineReader {
  return {
    read: () => undefined,
    report: (report: Report) => {
      if (report.form === "json") read(fieldsOf(report.value));
    },
    end,
  };
}
