import { parseJson } from "../../model/parse-json.ts";
import { type LineReader, maxFindings, type SaidReader, type ToolReader } from "../reader.ts";
import { fieldsOf } from "../shapes.ts";
import { collectGoFailures, mostOutcomes, readGoNote } from "./go.ts";

/** Human-readable output of `go test`. The result of a package follows its tests. */
export const goTest: ToolReader = { tool: "go test", kind: "tests", open: openGoTest };

/** The indent grows with the depth of a subtest. */
const result = /^( {0,400})--- (FAIL|PASS|SKIP): (\S{1,1000}) \(\d/;
const running = /^=== (?:RUN|CONT|NAME|PAUSE) {1,4}(\S{1,1000})$/;
const packageEnd = /^(FAIL|ok {2})\t(\S{1,500})(?:\t\d|\t\(cached\)| (\[(?:build|setup) failed\]))/;
const counted = /^(?:FAIL|ok {2})\t\S{1,500}\t(?:\d[\d.]{0,20}s|\(cached\))(?:\t.{0,200}?)?( ?\[no tests to run\])?/;
const testless = /^\?? {0,8}\t\S{1,500}\t\[no test files\]$/;
const runningTest = /^\t((?:Test|Fuzz|Example)\S{0,500}) \(\d/;

function openGoTest(): LineReader {
  const failures = collectGoFailures();
  let failed = new Map<string, SaidReader>();
  let notes = new Map<string, SaidReader>();
  let current: SaidReader | null = null;
  let panic: string | null = null;
  let last: string | null = null;
  let isTimeout = false;
  let unnamed = 0;
  let builds = 0;
  let hasCompiler = false;
  let isVerbose = false;
  let outcomes: [test: string, outcome: string][] = [];

  const noteOf = (test: string): SaidReader => {
    const note = notes.get(test) ?? readGoNote();
    if (notes.size < 2 * maxFindings) notes.set(test, note);
    return note;
  };
  const readResult = ([, indent = "", outcome, test]: readonly string[]): boolean => {
    if (outcome === undefined || test === undefined) return false;
    const parent = test.slice(0, test.lastIndexOf("/"));
    // Output of a test may look like a result.
    if (indent !== "" && (!test.includes("/") || (outcome === "FAIL" && !hasAncestor(failed, parent)))) return false;
    if (outcome === "FAIL") {
      current = noteOf(test);
      if (failed.size < 2 * maxFindings) failed.set(test, current);
      else unnamed += 1;
    } else {
      notes.delete(test);
      current = null;
    }
    return true;
  };
  /** Record an outcome, even if the line only looks like a result. */
  const countTest = ([, , outcome, test]: readonly string[]): void => {
    if (outcome !== undefined && test !== undefined && outcomes.length < mostOutcomes) outcomes.push([test, outcome]);
  };
  const endPackage = (line: string): void => {
    const [, outcome, pack, reason] = packageEnd.exec(line) ?? [];
    if (outcome === undefined || pack === undefined) return;
    const [isCounted, none] = counted.exec(line) ?? [];
    if (isCounted !== undefined) failures.endPackage(none !== undefined || isVerbose);
    for (const [test, outcome] of outcomes) failures.addOutcome(pack, test, outcome);
    outcomes = [];
    if (reason !== undefined) builds += 1;
    else if (outcome === "FAIL" && failed.size === 0) failures.addPackage(pack, panic ?? last);
    for (const [test, note] of failed) failures.addTest(pack, test, note.end());
    for (; unnamed > 0; unnamed -= 1) failures.count();
    failed = new Map();
    notes = new Map();
    current = null;
    panic = null;
    last = null;
    isTimeout = false;
  };

  return {
    read: (line) => {
      const told = line.includes("--- ") ? (result.exec(line) ?? []) : [];
      countTest(told);
      if (line.endsWith("\t[no test files]") && testless.test(line)) failures.endPackage(true);
      switch (line.charCodeAt(0)) {
        case 0x2d: // -
          if (line.startsWith("--- ") && readResult(told)) return;
          break;
        case 0x3d: // =
          if (line.startsWith("=== ")) {
            isVerbose ||= line.startsWith("=== RUN ");
            const [, test] = running.exec(line) ?? [];
            if (test !== undefined) {
              current = noteOf(test);
              return;
            }
          }
          break;
        case 0x46: // F
        case 0x6f: // o
          if (line.startsWith("FAIL\t") || line.startsWith("ok  \t")) return endPackage(line);
          if (line === "FAIL") return;
          break;
        case 0x20: // blank
          if (failed.size > 0 && readResult(told)) return;
          break;
        case 0x09: // tab
          if (isTimeout) {
            const [, test] = runningTest.exec(line) ?? [];
            if (test !== undefined && panic !== null) {
              const note = readGoNote();
              note.read(panic);
              if (failed.size < 2 * maxFindings) failed.set(test, note);
              return;
            }
          }
          break;
        case 0x23: // #
          hasCompiler = true;
          break;
        case 0x70: // p
          if (line.startsWith("panic: ")) panic ??= line;
          break;
        case 0x72: // r
          isTimeout = line === "running tests:" && panic !== null;
          break;
        default:
      }
      current?.read(line);
      if (line !== "" && !line.startsWith("exit status ")) last = line;
    },
    end: () => {
      // Count tests without a package name, and failed builds without printed errors.
      for (const test of failed.keys()) if (!hasDescendant(failed, test)) failures.count();
      if (!hasCompiler) for (; builds > 0; builds -= 1) failures.count();
      return failures.end();
    },
  };
}

const hasDescendant = (tests: ReadonlyMap<string, unknown>, test: string): boolean => {
  for (const each of tests.keys()) if (each.startsWith(`${test}/`)) return true;
  return false;
};

/** Whether `parent` or one of its ancestors is among the tests: the name of a subtest may contain a slash. */
function hasAncestor(tests: ReadonlyMap<string, unknown>, parent: string): boolean {
  for (let name = parent; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf("/")))) {
    if (tests.has(name)) return true;
  }
  return false;
}

export const goTestJson: ToolReader = { tool: "go test", kind: "report", open: openGoTestJson };

/** Lines that Go prints around the output of tests. */
const framing = /^(?:=== |\s{0,400}--- |FAIL\b|PASS$|ok {2}\t|exit status |$)/;

function openGoTestJson(): LineReader {
  const failures = collectGoFailures();
  const notes = new Map<string, SaidReader>();
  const said = new Map<string, string>();
  const failing = new Set<string>();

  const readOutput = (pack: string, test: string | null, output: string): void => {
    const line = output.trimEnd();
    if (framing.test(line)) return;
    if (test === null) {
      if (said.size < maxFindings || said.has(pack)) said.set(pack, line);
      return;
    }
    const key = `${pack} ${test}`;
    const note = notes.get(key) ?? readGoNote();
    if (notes.size < 2 * maxFindings) notes.set(key, note);
    note.read(line);
  };
  const endTest = (pack: string, test: string, isFailed: boolean): void => {
    const key = `${pack} ${test}`;
    if (isFailed) {
      failures.addTest(pack, test, notes.get(key)?.end() ?? null);
      if (failing.size < maxFindings) failing.add(pack);
    }
    notes.delete(key);
  };
  const endPackage = (pack: string, isFailed: boolean): void => {
    if (isFailed && !failing.has(pack)) failures.addPackage(pack, said.get(pack) ?? null);
    said.delete(pack);
    failing.delete(pack);
  };

  return {
    read: (line) => {
      if (line.charCodeAt(0) !== 0x7b || !line.includes('"Action":"')) return;
      const {
        Action: action,
        Package: pack,
        Test: test,
        Output: output,
        FailedBuild: build,
      } = fieldsOf(parseJson(line));
      if (typeof pack !== "string") return;
      if (action === "output") {
        if (typeof output === "string") readOutput(pack, typeof test === "string" ? test : null, output);
      } else if (action === "pass" || action === "fail" || action === "skip") {
        if (typeof test === "string") {
          failures.addOutcome(pack, test, action.toUpperCase());
          endTest(pack, test, action === "fail");
        } else if (build === undefined) endPackage(pack, action === "fail");
        failures.endPackage(true);
      }
    },
    end: failures.end,
  };
}
