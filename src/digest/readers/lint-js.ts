import { type LineReader, type LintProblem, listProblems, type ToolReader } from "../reader.ts";
import { fieldsOf, listOf, numberOf, textOf } from "../shapes.ts";

/** ESLint prints absolute paths. */
const fileForm = /^(?:(?:\/|[A-Za-z]:[\\/])[^:]{1,400}|<\w{1,20}>)$/;
const stylish = /^ {2,10}(\d{1,9}):\d{1,9} {1,8}(error|warning) {2,8}(\S.*)$/;
const eslintUnix = /^([^\s:][^:]{0,400}):(\d{1,9}):\d{1,9}: (.{1,1000}) \[(Error|Warning)(?:\/([\w@/.-]{1,200}))?\]$/;
const compact =
  /^([^\s:][^:]{0,400}): line (\d{1,9}), col \d{1,9}, (Error|Warning) - (.{1,1000}?)(?: \(([\w@/.-]{1,200})\))?$/;
const eslintSum = /^✖ \d{1,9} problems? \((\d{1,9}) errors?, \d{1,9} warnings?\)$/;

/** ESLint with its usual formats. An id is a path, a rule and the message, without counts. */
export const eslint: ToolReader = { tool: "eslint", kind: "findings", open: readEslint };

function readEslint(): LineReader {
  const list = listProblems();
  const untold: LintProblem[] = [];
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
    // The rule follows a gap; a syntax error has no rule.
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
      if (first === 0x2716 && eslintSum.test(line)) {
        isEslint = true;
        file = null;
        for (const problem of untold.splice(0)) list.add(problem);
        return;
      }
      if (first === 0x45 && line.startsWith("ESLint found too many warnings")) isOverWarned = true;
      const last = line.charCodeAt(line.length - 1);
      if (last === 0x5d) {
        const [, path, number, message = "", severity, rule = ""] = eslintUnix.exec(line) ?? [];
        // Other tools print in the same form, with rules that ESLint cannot have.
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
    json: readReport,
    end: () => (isEslint ? list.end(isOverWarned) : null),
  };
}

const heading =
  /^(\S[^━]{0,500}?)(?::(\d{1,9}):\d{1,9})? ([a-z][\w/]{1,100})(?: {1,4}(?:FIXABLE|DEPRECATED|INTERNAL|FATAL|VERBOSE)){0,4} {1,4}━{2,400}$/;
const biomeGithub =
  /^::(error|warning|notice) title=([\w/]{1,100}),file=([^,]{1,500}),line=(\d{1,9}),endLine=\d{1,9},col=\d{1,9},endColumn=\d{1,9}::(.{1,1000})$/;

/**
 * Biome with its usual reporters. An id is a path, a rule and the message; the id of a formatting error has no message.
 */
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
        const [, severity, rule = "", file = "", number, message = ""] = biomeGithub.exec(line) ?? [];
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
    json: readReport,
    end: () => list.end(isOverWarned),
  };
}

/** Drop the message of the formatter, which is the same for every file. */
const formatted = (message: string): { rule: string; message: string } => {
  const rule = "format";
  return { rule, message: message.startsWith("Formatter would have printed") ? "" : message };
};

const problem = /^ {1,4}([x×!⚠]) (?:([\w@/.-]{1,100}\([\w@/.-]{1,150}\)): )?(\S.{0,1000})$/;
const position = /^ {1,12}[,╭][-─]\[([^\]]{1,500}):(\d{1,9}):\d{1,9}\]$/;
const oxlintUnix =
  /^([^\s:][^:]{0,400}):(\d{1,9}):\d{1,9}: (.{1,1000}) \[(Error|Warning)(?:\/([\w@/.-]{1,100}\([\w@/.-]{1,150}\)))?\]$/;
const oxlintGithub =
  /^::(error|warning) file=([^,]{1,500}),line=(\d{1,9}),endLine=\d{1,9},col=\d{1,9},endColumn=\d{1,9},title=([^:,]{1,300})::(.{1,1000})$/;
const oxlintSum = /^Found (\d{1,9}) warnings? and (\d{1,9}) errors?\.$/;

/** Oxlint with its usual formats. An id is a path, a rule with its plugin, and the message. */
export const oxlint: ToolReader = { tool: "oxlint", kind: "findings", open: readOxlint };

function readOxlint(): LineReader {
  const list = listProblems();
  const untold: LintProblem[] = [];
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
        if (oxlintSum.test(line)) {
          isOxlint = true;
          for (const each of untold.splice(0)) list.add(each);
        }
        return;
      }
      // Only the command line that npm prints shows that oxlint fails for warnings.
      if (first === 0x3e) isDenying ||= line.startsWith("> oxlint ") && line.includes(" --deny-warnings");
      if (first === 0x3a) {
        const [, severity, file = "", number, rule = "", text = ""] = oxlintGithub.exec(line) ?? [];
        if (severity === undefined) return;
        const place = `${file}:${number}:`;
        const message = text.startsWith(place) ? text.slice(place.length).replace(/^\d{1,9}: /, "") : text;
        list.add({ isError: severity === "error", file, line: Number(number), rule, message });
        isOxlint = true;
      } else if (line.endsWith(")]")) {
        const [, file, number, message = "", severity, rule] = oxlintUnix.exec(line) ?? [];
        if (file === undefined || rule === undefined) return;
        list.add({ isError: severity === "Error", file, line: Number(number), rule, message });
        isOxlint = true;
      }
    },
    json: readReport,
    end: () => (isOxlint ? list.end(isDenying) : null),
  };
}
