import { fieldsOf, listOf, numberOf, textOf } from "../json-shape.ts";
import { listProblems } from "../lint-list.ts";
import type { LineReader, ToolReader } from "../reader.ts";

const problem = /^ {1,4}([x×!⚠]) (?:([\w@/.-]{1,100}\([\w@/.-]{1,150}\)): )?(\S.{0,1000})$/;
const position = /^ {1,12}[,╭][-─]\[([^\]]{1,500}):(\d{1,9}):\d{1,9}\]$/;
const unix =
  /^([^\s:][^:]{0,400}):(\d{1,9}):\d{1,9}: (.{1,1000}) \[(Error|Warning)(?:\/([\w@/.-]{1,100}\([\w@/.-]{1,150}\)))?\]$/;
const github =
  /^::(error|warning) file=([^,]{1,500}),line=(\d{1,9}),endLine=\d{1,9},col=\d{1,9},endColumn=\d{1,9},title=([^:,]{1,300})::(.{1,1000})$/;
const sum = /^Found (\d{1,9}) warnings? and (\d{1,9}) errors?\.$/;

/** Oxlint with its usual formats. An id is a path, a rule with its plugin, and what it says. */
export const oxlint: ToolReader = { tool: "oxlint", kind: "findings", open: readOxlint };

function readOxlint(): LineReader {
  const list = listProblems();
  const untold: Parameters<typeof list.add>[0][] = [];
  let said: { readonly isError: boolean; readonly rule: string; readonly message: string } | null = null;
  let isOxlint = false;
  let isDenying = false;

  const readReport = (value: unknown): void => {
    const report = fieldsOf(value);
    if (Object.keys(report)[0] !== "diagnostics" || numberOf(report["number_of_files"]) === null) return;
    isOxlint = true;
    for (const each of listOf(report["diagnostics"]).map(fieldsOf)) {
      const label = fieldsOf(listOf(each["labels"])[0]);
      list.add({
        isError: each["severity"] === "error",
        file: textOf(each["filename"]),
        line: numberOf(fieldsOf(label["span"])["line"]),
        rule: textOf(each["code"]),
        message: textOf(each["message"]),
      });
    }
  };
  const readIndented = (line: string): void => {
    if (said !== null) {
      const [, file, number] = position.exec(line) ?? [];
      if (file !== undefined && untold.length < 5000) untold.push({ ...said, file, line: Number(number) });
      said = null;
      if (file !== undefined) return;
    }
    const [, sign, rule = "", message = ""] = problem.exec(line) ?? [];
    if (sign !== undefined) said = { isError: sign === "x" || sign === "×", rule, message };
  };

  return {
    read: (line) => {
      const first = line.charCodeAt(0);
      if (first === 0x20) return readIndented(line);
      if (first === 0x46) {
        if (sum.test(line)) {
          isOxlint = true;
          for (const each of untold.splice(0)) list.add(each);
        }
        return;
      }
      // It says nowhere that it failed for its warnings: only npm, which shows the command line.
      if (first === 0x3e) isDenying ||= line.startsWith("> oxlint ") && line.includes(" --deny-warnings");
      if (first === 0x3a) {
        const [, severity, file = "", number, rule = "", text = ""] = github.exec(line) ?? [];
        if (severity === undefined) return;
        const place = `${file}:${number}:`;
        const message = text.startsWith(place) ? text.slice(place.length).replace(/^\d{1,9}: /, "") : text;
        list.add({ isError: severity === "error", file, line: Number(number), rule, message });
        isOxlint = true;
      } else if (line.endsWith(")]")) {
        const [, file, number, message = "", severity, rule] = unix.exec(line) ?? [];
        if (file === undefined || rule === undefined) return;
        list.add({ isError: severity === "Error", file, line: Number(number), rule, message });
        isOxlint = true;
      }
    },
    report: (report) => {
      if (report.form === "json") readReport(report.value);
    },
    end: () => (isOxlint ? list.end(isDenying) : null),
  };
}
