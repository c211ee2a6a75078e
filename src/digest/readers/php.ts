import { type LineReader, listFindings, listPlaces, type ToolReader, valuesIn } from "../reader.ts";

export const phpunit: ToolReader = { tool: "phpunit", kind: "tests", open: openPhpunit };

const listOpening = /^There (?:was|were) \d{1,9} (?:(?:PHPUnit |test runner )?(error|failure)s?|[\w ]{1,40}):$/;
const heading = /^(\d{1,9}) {0,1}\) ([\w\\]{1,300}::.{1,1000})$/;
const place = /^(\S.{0,500}\.(?:php|phpt|inc)):(\d{1,9})$/;
const sum = /^Tests: \d{1,9}, Assertions: \d{1,9}.{0,200}\.$/;
const passed = /^(?:OK \((\d{1,9}) tests?, \d{1,9} assertions?\)|No tests executed!)$/;
const numbered = / with data set #\d{1,9}(?= \()/;

interface Failure {
  readonly id: string;
  file: string | null;
  line: number | null;
  message: string | null;
  expected: string | null;
  actual: string | null;
  isDiff: boolean;
}

function openPhpunit(): LineReader {
  const findings = listFindings();
  let isList = false;
  let next = 1;
  let failure: Failure | null = null;
  const close = (): void => {
    if (failure === null) return;
    const { id, file, line, message, expected, actual } = failure;
    const sides = expected !== null && actual !== null ? { expected, actual } : {};
    findings.add({ id, file, line, message, ...sides });
    failure = null;
  };
  const openList = (line: string): boolean => {
    const match = listOpening.exec(line);
    if (match === null) return false;
    close();
    isList = match[1] !== undefined;
    next = 1;
    return true;
  };
  const openFailure = (line: string): boolean => {
    const [, number, name] = heading.exec(line) ?? [];
    if (name === undefined || Number(number) !== next) return false;
    close();
    next += 1;
    const id = withoutValues(name);
    failure = { id, file: null, line: null, message: null, expected: null, actual: null, isDiff: false };
    return true;
  };
  return {
    read: (line) => {
      const first = line.charCodeAt(0);
      if (first === 0x54) {
        if (line.startsWith("There w") && openList(line)) return;
        if (sum.test(line)) {
          const count = valuesIn(line);
          const [failed, skipped] = [count("Errors", "Failures"), count("Skipped", "Incomplete")];
          findings.count({ passed: count("Tests") - failed - skipped, failed, skipped });
          return;
        }
        if (line.startsWith("Time: ")) {
          close();
          isList = false;
        }
      } else if (line === "FAILURES!" || line === "ERRORS!") {
        close();
        isList = false;
        return;
      } else if (first === 0x4f || line === "No tests executed!") {
        const [all, number = 0] = passed.exec(line) ?? [];
        if (all !== undefined) findings.count({ passed: Number(number) });
      }
      if (!isList) return;
      if (first >= 0x30 && first <= 0x39 && openFailure(line)) return;
      if (failure !== null) readDetail(failure, line);
    },
    end: () => {
      close();
      return findings.end();
    },
  };
}

function readDetail(failure: Failure, line: string): void {
  if (line === "" || line === "--") {
    failure.isDiff = false;
    return;
  }
  const [, file, at] = line.includes(".ph") || line.includes(".inc") ? (place.exec(line) ?? []) : [];
  if (file !== undefined) {
    failure.file = file;
    failure.line = Number(at);
  } else if (line === "@@ @@") failure.isDiff = true;
  else if (failure.isDiff) {
    if (line.startsWith("-")) failure.expected ??= line.slice(1);
    else if (line.startsWith("+")) failure.actual ??= line.slice(1);
  } else failure.message ??= line;
}

/** Remove the values of a data set from a name: they may vary, such as the time. */
function withoutValues(name: string): string {
  const number = numbered.exec(name);
  if (number !== null) return name.slice(0, number.index + number[0].length);
  const end = name.includes(' with data set "') ? name.lastIndexOf('" (') : -1;
  return end === -1 ? name : name.slice(0, end + 1);
}

/** Errors that stop PHP itself. PHP may print an error twice, with and without the prefix `PHP`. */
export const php: ToolReader = { tool: "php", kind: "findings", open: openPhp };

const errorOpening = /^(?:PHP )?(?:Parse|Fatal) error: {1,2}(?=\S)/;
const onLine = /^(\S{1,500}) on line (\d{1,9})$/;
const afterColon = /^([^\s:]{1,500}):(\d{1,9})$/;

function openPhp(): LineReader {
  const places = listPlaces();
  return {
    read: (line) => {
      const first = line.charCodeAt(0);
      if ((first !== 0x50 && first !== 0x46) || !line.includes(" error: ")) return;
      const [head] = errorOpening.exec(line) ?? [];
      const end = line.lastIndexOf(" in ");
      if (head === undefined || end <= head.length) return;
      const where = line.slice(end + " in ".length);
      const [, file, at] = onLine.exec(where) ?? afterColon.exec(where) ?? [];
      if (file !== undefined) places.add({ file, line: Number(at), message: line.slice(head.length, end) });
    },
    end: places.end,
  };
}
