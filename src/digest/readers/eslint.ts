import { fieldsOf, listOf, numberOf, textOf } from "../json-shape.ts";
import { listProblems } from "../lint-list.ts";
import type { LineReader, ToolReader } from "../reader.ts";

/** ESLint tells whole paths. */
const fileForm = /^(?:(?:\/|[A-Za-z]:[\\/])[^:]{1,400}|<\w{1,20}>)$/;
const stylish = /^ {2,10}(\d{1,9}):\d{1,9} {1,8}(error|warning) {2,8}(\S.*)$/;
const unix = /^([^\s:][^:]{0,400}):(\d{1,9}):\d{1,9}: (.{1,1000}) \[(Error|Warning)(?:\/([\w@/.-]{1,200}))?\]$/;
const compact =
  /^([^\s:][^:]{0,400}): line (\d{1,9}), col \d{1,9}, (Error|Warning) - (.{1,1000}?)(?: \(([\w@/.-]{1,200})\))?$/;
const sum = /^✖ \d{1,9} problems? \((\d{1,9}) errors?, \d{1,9} warnings?\)$/;

/** ESLint with its usual formats. An id is a path, a rule and what it says, without counts. */
export const eslint: ToolReader = { tool: "eslint", kind: "findings", open: readEslint };

function readEslint(): LineReader {
  const list = listProblems();
  const untold: Parameters<typeof list.add>[0][] = [];
  let file: string | null = null;
  let isAfterBlank = true;
  let isEslint = false;
  let isOverWarned = false;

  const readReport = (value: unknown): void => {
    for (const each of listOf(value).map(fieldsOf)) {
      const path = textOf(each["filePath"]);
      for (const problem of listOf(each["messages"]).map(fieldsOf)) {
        isEslint = true;
        list.add({
          isError: problem["severity"] === 2,
          file: path,
          line: numberOf(problem["line"]),
          rule: textOf(problem["ruleId"]),
          message: textOf(problem["message"]),
        });
      }
    }
  };
  const readSet = (line: string): void => {
    const [, number, severity, text = ""] = stylish.exec(line) ?? [];
    if (severity === undefined || file === null) return;
    // The rule stands alone behind a gap; an error of syntax has none.
    const gap = text.trimEnd().lastIndexOf("  ");
    const last = gap === -1 ? "" : text.slice(gap).trim();
    const isRule = /^[\w@/.-]{1,200}$/.test(last);
    const message = isRule ? text.slice(0, gap).trim() : text.trim();
    const problem = { isError: severity === "error", file, line: Number(number), rule: isRule ? last : "", message };
    if (untold.length < 5000) untold.push(problem);
  };

  return {
    read: (line) => {
      const first = line.charCodeAt(0);
      if (first === 0x20) return readSet(line);
      if (Number.isNaN(first)) {
        isAfterBlank = true;
        file = null;
        return;
      }
      if (first === 0x2716 && sum.test(line)) {
        isEslint = true;
        file = null;
        for (const problem of untold.splice(0)) list.add(problem);
        return;
      }
      if (first === 0x45 && line.startsWith("ESLint found too many warnings")) isOverWarned = true;
      const last = line.charCodeAt(line.length - 1);
      if (last === 0x5d) {
        const [, path, number, message = "", severity, rule = ""] = unix.exec(line) ?? [];
        // Others print in the same form, with rules that ESLint cannot have.
        if (path === undefined || rule.includes("(")) return;
        list.add({ isError: severity === "Error", file: path, line: Number(number), rule, message });
        isEslint = true;
      } else if (line.includes(": line ") && compact.test(line)) {
        const [, path = "", number, severity, message = "", rule = ""] = compact.exec(line) ?? [];
        list.add({ isError: severity === "Error", file: path, line: Number(number), rule, message });
        isEslint = true;
      } else if (isAfterBlank && line.length < 400) file = fileForm.test(line) ? line : null;
      isAfterBlank = false;
    },
    report: (report) => {
      if (report.form === "json") readReport(report.value);
    },
    end: () => (isEslint ? list.end(isOverWarned) : null),
  };
}
