import { listFindings } from "../finding-list.ts";
import { firstLine } from "../plain-text.ts";
import type { Report, ToolReader } from "../reader.ts";
import { type Attributes, readTags } from "../xml-tags.ts";

/** A report in the XML of JUnit, whoever has written it. An id is the class and the name of a test. */
export const junit: ToolReader = {
  tool: "junit",
  kind: "report",
  open: () => {
    const found = listFindings();
    let failed = 0;
    let ran = 0;
    const read = (text: string): void => {
      let test: Attributes | null = null;
      let suiteFile: string | null = null;
      let problem: { readonly attributes: Attributes; text: string } | null = null;
      let isInProblem = false;
      let isSkipped = false;
      const finish = (): void => {
        if (test === null) return;
        if (!isSkipped) ran += 1;
        if (problem !== null && !isSkipped) {
          failed += 1;
          found.addEach(toFinding(test, suiteFile, problem));
        }
        test = null;
        problem = null;
        isSkipped = false;
        isInProblem = false;
      };
      readTags(text, {
        open: (name, attributes, isClosed) => {
          if (name === "testsuite") suiteFile = attributes.get("file") ?? attributes.get("filepath") ?? null;
          if (name === "testcase") {
            test = attributes;
            problem = null;
            isSkipped = attributes.get("status") === "notrun";
            if (isClosed) finish();
          }
          if (test === null) return;
          if (name === "skipped") isSkipped = true;
          if ((name === "failure" || name === "error") && problem === null) {
            problem = { attributes, text: "" };
            isInProblem = !isClosed;
          }
        },
        close: (name) => {
          if (name === "testcase") finish();
          if (name === "failure" || name === "error") isInProblem = false;
        },
        text: (piece) => {
          if (isInProblem && problem !== null && problem.text.length < 4000) problem.text += piece().slice(0, 4000);
        },
      });
    };
    return {
      read: () => undefined,
      report: (report: Report) => {
        if (report.form === "xml") read(report.text);
      },
      end: () => found.end({ failed, ran }),
    };
  },
};

function toFinding(
  test: Attributes,
  suiteFile: string | null,
  problem: { readonly attributes: Attributes; readonly text: string },
): Parameters<ReturnType<typeof listFindings>["add"]>[0] {
  const name = test.get("name")?.trim() ?? "";
  const group = test.get("classname")?.trim() ?? "";
  const line = Number(test.get("line") ?? Number.NaN);
  const said = problem.attributes.get("message") ?? "";
  return {
    id: group === "" || group === name ? name : `${group} > ${name}`,
    file: test.get("file") ?? suiteFile,
    line: Number.isSafeInteger(line) ? line : null,
    message: firstLine(said) || firstLine(problem.text) || problem.attributes.get("type") || "failed",
  };
}
