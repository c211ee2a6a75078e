import { fieldsOf, listOf, numberOf, textOf } from "../json-shape.ts";
import { listProblems } from "../lint-list.ts";
import type { LineReader, ToolReader } from "../reader.ts";

const heading =
  /^(\S[^━]{0,500}?)(?::(\d{1,9}):\d{1,9})? ([a-z][\w/]{1,100})(?: {1,4}(?:FIXABLE|DEPRECATED|INTERNAL|FATAL|VERBOSE)){0,4} {1,4}━{2,400}$/;
const github =
  /^::(error|warning|notice) title=([\w/]{1,100}),file=([^,]{1,500}),line=(\d{1,9}),endLine=\d{1,9},col=\d{1,9},endColumn=\d{1,9}::(.{1,1000})$/;

/** Biome with its usual reporters. An id is a path, a rule and what it says; the category alone for formatting. */
export const biome: ToolReader = { tool: "biome", kind: "findings", open: readBiome };

function readBiome(): LineReader {
  const list = listProblems();
  let place: { readonly file: string; readonly line: number | null; readonly rule: string } | null = null;
  let isOverWarned = false;
  const add = (file: string, line: number | null, rule: string, message: string, isError: boolean): void =>
    list.add({ isError, file, line, ...(rule === "format" ? formatted(message) : { rule, message }) });

  const readReport = (value: unknown): void => {
    const report = fieldsOf(value);
    if (Object.keys(report)[0] !== "summary") return;
    for (const each of listOf(report["diagnostics"]).map(fieldsOf)) {
      const location = fieldsOf(each["location"]);
      const file = textOf(location["path"]);
      const line = numberOf(fieldsOf(location["start"])["line"]);
      const severity = textOf(each["severity"]);
      const isError = severity === "error" || severity === "fatal";
      if (file !== "") add(file, line, textOf(each["category"]), textOf(each["message"]), isError);
    }
  };

  return {
    read: (line) => {
      if (line.endsWith("━")) {
        const [, file, number, rule = ""] = heading.exec(line) ?? [];
        place = file === undefined ? null : { file, line: number === undefined ? null : Number(number), rule };
        return;
      }
      const first = line.charCodeAt(0);
      if (first === 0x3a && line.startsWith("::")) {
        const [, severity, rule = "", file = "", number, message = ""] = github.exec(line) ?? [];
        if (severity !== undefined) add(file, Number(number), rule, message, severity === "error");
        return;
      }
      if (first !== 0x20) return;
      if (line.startsWith("  × ") || line.startsWith("  ✖ ") || line.startsWith("  ! ")) {
        if (line.startsWith("  × Some warnings were emitted")) isOverWarned = true;
        if (place !== null) add(place.file, place.line, place.rule, line.slice(4), line.charAt(2) !== "!");
        place = null;
      } else if (line.startsWith("  i ")) place = null;
    },
    report: (report) => {
      if (report.form === "json") readReport(report.value);
    },
    end: () => list.end(isOverWarned),
  };
}

/** What the formatter would do is the same for every file. */
const formatted = (message: string): { rule: string; message: string } => {
  const rule = "format";
  return { rule, message: message.startsWith("Formatter would have printed") ? "" : message };
};
