import { type LineReader, maxFindings, type ToolReader } from "../reader.ts";
import { collectGoFailures } from "./go-failures.ts";
import { type GoNoteReader, readGoNote } from "./go-note.ts";

/** `go test -json`: an event on each line. */
export const goTestJson: ToolReader = { tool: "go test", kind: "report", open: openGoTestJson };

interface GoEvent {
  readonly Action?: unknown;
  readonly Package?: unknown;
  readonly Test?: unknown;
  readonly Output?: unknown;
  readonly FailedBuild?: unknown;
}

/** Lines that frame what tests print. */
const framing = /^(?:=== |\s{0,400}--- |FAIL\b|PASS$|ok {2}\t|exit status |$)/;

function openGoTestJson(): LineReader {
  const failures = collectGoFailures();
  const notes = new Map<string, GoNoteReader>();
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
      const { Action: action, Package: pack, Test: test, Output: output, FailedBuild: build } = parseEvent(line);
      if (typeof pack !== "string") return;
      if (action === "output") {
        if (typeof output === "string") readOutput(pack, typeof test === "string" ? test : null, output);
      } else if (action === "pass" || action === "fail" || action === "skip") {
        if (typeof test === "string") endTest(pack, test, action === "fail");
        else if (build === undefined) endPackage(pack, action === "fail");
      }
    },
    end: failures.end,
  };
}

function parseEvent(line: string): GoEvent {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
