import { parseJson } from "../../model/parse-json.ts";
import {
  type LineReader,
  listFindings,
  listPlaces,
  maxFindings,
  type Reading,
  type Said,
  type SaidReader,
  type ToolCounts,
  type ToolReader,
} from "../reader.ts";
import { fieldsOf, textOf } from "../shapes.ts";

const log = /^\s{1,60}([^\s:]{1,200}\.go):(\d{1,9}): ?(.{0,1000})$/;
/** `Error:`, `expected:` and `actual  :` of testify. */
const field = /^\s{1,60}(Error|expected|actual) {0,2}:\s{0,20}(\S.{0,1000})$/;
const frame = /^\t(\S{1,300}_test\.go):(\d{1,9})(?: |$)/;

/** The first log of a test, the output of an example, or the reason of a panic. */
export function readGoNote(): SaidReader {
  let note: Said = { file: null, line: null, message: null };
  let block: "got" | "want" | null = null;
  let isPanic = false;
  const readBlock = (line: string): void => {
    if (block === "got") note = { ...note, actual: note.actual ?? line };
    else note = { ...note, expected: note.expected ?? line };
    const { actual, expected } = note;
    if (actual !== undefined && expected !== undefined) note = { ...note, message: `got ${actual}, want ${expected}` };
  };
  return {
    read: (line) => {
      const first = line.charCodeAt(0);
      if (first === 0x20) {
        const [, file, at, message = ""] = note.file === null && line.includes(".go:") ? (log.exec(line) ?? []) : [];
        if (file !== undefined) note = { ...note, file, line: Number(at), message: message.trim() || note.message };
        else if (note.message !== null && /[,:]$/.test(note.message))
          note = { ...note, message: `${note.message} ${line.trim()}` };
        else if (note.file !== null && line.includes(":")) note = withField(note, line);
      } else if (first === 0x09) {
        const [, file, at] = isPanic && note.file === null ? (frame.exec(line) ?? []) : [];
        if (file !== undefined) note = { ...note, file, line: Number(at) };
      } else if (line === "got:" || line === "want:") block = line === "got:" ? "got" : "want";
      else if (line.startsWith("panic: ") || line.startsWith("fatal error: ")) {
        isPanic = true;
        note = { ...note, message: note.message ?? line.replace(" [recovered]", "") };
      } else if (block !== null && line !== "") readBlock(line);
    },
    end: () => note,
  };
}

function withField(note: Said, line: string): Said {
  const [, name, value] = field.exec(line) ?? [];
  if (value === undefined) return note;
  if (name === "Error") return { ...note, message: note.message ?? value };
  return name === "expected"
    ? { ...note, expected: note.expected ?? value }
    : { ...note, actual: note.actual ?? value };
}

export const mostOutcomes = 20_000;

export function collectGoFailures() {
  const outcomes = new Map<string, string>();
  let isGo = false;
  let areAllNamed = true;
  const tests = new Map<string, Said | null>();
  const packages = new Map<string, string | null>();
  let unnamed = 0;
  const count = (): void => {
    unnamed += 1;
  };
  return {
    addTest: (pack: string, test: string, note: Said | null): void => {
      if (tests.size < 2 * maxFindings) tests.set(`${pack} ${test}`, note);
      else count();
    },
    /** Add a package that failed although none of its tests failed. */
    addPackage: (pack: string, message: string | null): void => {
      if (packages.size < maxFindings) packages.set(pack, message);
      else count();
    },
    count,
    addOutcome: (pack: string, test: string, outcome: string): void => {
      if (outcomes.size < mostOutcomes) outcomes.set(`${pack} ${test}`, outcome);
    },
    /** @param isNamed Whether each test of the package had an outcome. */
    endPackage: (isNamed: boolean): void => {
      isGo = true;
      areAllNamed &&= isNamed;
    },
    end: (): Reading | null => {
      const findings = listFindings();
      const parents = new Set([...tests.keys()].flatMap(parentsOf));
      let failed = unnamed;
      for (const [id, note] of tests) {
        // Count only the subtests: their parent fails with them.
        if (parents.has(id)) continue;
        failed += 1;
        findings.add({ id, ...(note ?? { file: null, line: null, message: null }) });
      }
      for (const [id, message] of packages) findings.add({ id, file: null, line: null, message });
      const counts = isGo && areAllNamed ? leavesOf(outcomes) : {};
      return findings.end({ failed: failed + packages.size, ...counts });
    },
  };
}

/** Count only tests without subtests. */
function leavesOf(outcomes: ReadonlyMap<string, string>): ToolCounts {
  const parents = new Set([...outcomes.keys()].flatMap(parentsOf));
  const leaves = [...outcomes].filter(([id]) => !parents.has(id));
  const skipped = leaves.filter(([, outcome]) => outcome === "SKIP").length;
  return { ran: leaves.length - skipped, skipped };
}

function parentsOf(id: string): string[] {
  const parents: string[] = [];
  const start = id.indexOf(" ");
  for (let slash = id.indexOf("/", start); slash !== -1; slash = id.indexOf("/", slash + 1)) {
    parents.push(id.slice(0, slash));
  }
  return parents;
}

/** Go's compiler and `go vet`, also in test builds: errors below the name of their package. */
export const go: ToolReader = { tool: "go", kind: "findings", open: openGo };

const heading = /^# \[?[^\s[\]]{1,500}\]?(?: \[\S{1,500}\])?$/;
const placed = /^(?:vet: )?([^\s:][^:]{0,400}\.(?:go|mod|s)):(\d{1,9})(?::(\d{1,9}))?: (.{1,2000})$/;
const buildOutput = '"Action":"build-output"';

function openGo(): LineReader {
  const places = listPlaces();
  let isOpen = false;
  const read = (line: string): void => {
    const first = line.charCodeAt(0);
    if (first === 0x23) {
      isOpen = heading.test(line);
      return;
    }
    if (!isOpen) return;
    // Continuation of the message.
    if (first === 0x09 || first === 0x20) return;
    const [, file, at, column, message] = placed.exec(line) ?? [];
    isOpen = file !== undefined;
    if (file !== undefined && message !== undefined) places.add({ file, line: Number(at), column, message });
  };
  return {
    read: (line) => {
      if (line.charCodeAt(0) !== 0x7b) read(line);
      else if (line.includes(buildOutput)) read(textOf(fieldsOf(parseJson(line))["Output"]).trimEnd());
    },
    end: places.end,
  };
}
