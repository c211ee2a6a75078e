import {
  type LineReader,
  listFindings,
  listPlaces,
  maxFindings,
  type Said,
  type SaidReader,
  type ToolReader,
} from "../reader.ts";

/** Reads a panic of a Rust thread, starting with the line that names the thread. */
interface PanicReader extends SaidReader {
  readonly thread: string;
}

const opening = "thread '";
const place = /^([^\s:][^:]{0,400}):(\d{1,9}):\d{1,9}:$/;
/** End of a panic in the one-line form of Rust before 1.73. */
const oldPlace = /', ([^\s:'][^:']{0,400}):(\d{1,9}):\d{1,9}$/;
const side = /^ {1,2}(left|right): (.{1,1000})$/;

/** @returns Null if the line does not name a panic. */
function openPanic(line: string): PanicReader | null {
  if (!line.startsWith(opening)) return null;
  const end = line.indexOf("' ", opening.length);
  const at = line.indexOf("panicked at ", end);
  if (end === -1 || at === -1 || at > end + 24) return null;
  const told = line.slice(at + "panicked at ".length);
  const [, file, number] = place.exec(told) ?? [];
  let panic: Said = { file: file ?? null, line: file === undefined ? null : Number(number), message: null };
  let sides = "";
  const addSide = (text: string): boolean => {
    const [, name, value] = side.exec(text) ?? [];
    if (name !== undefined) sides += `${sides === "" ? "; " : ", "}${name}: ${withoutTicks(value ?? "")}`;
    return name !== undefined;
  };
  const readOld = (text: string): string => {
    const match = oldPlace.exec(text);
    if (match === null) return text;
    panic = { ...panic, file: match[1] ?? null, line: Number(match[2]) };
    return text.slice(0, match.index);
  };
  if (file === undefined && told.startsWith("'")) {
    const message = readOld(told.slice(1));
    panic = { ...panic, message };
  }
  return {
    thread: line.slice(opening.length, end),
    read: (text) => {
      if (text === "") return;
      if (panic.message === null) panic = { ...panic, message: text };
      else addSide(panic.file === null ? readOld(text) : text);
    },
    end: () => ({ ...panic, message: panic.message === null ? null : panic.message + sides }),
  };
}

/** The old form has values in backticks, the first followed by a comma. */
const withoutTicks = (value: string): string => (value.startsWith("`") ? value.slice(1).replace(/`,?$/, "") : value);

/** Rust's tests run by cargo. An id has no test binary, whose name is printed to another stream. */
export const cargoTest: ToolReader = { tool: "cargo test", kind: "tests", open: openCargoTest };

const running = /^running \d{1,9} tests?$/;
const progress = /^test (\S.{0,500}) \.\.\. FAILED$/;
const quietProgress = /^(\S.{0,500}) --- FAILED$/;
const section = /^---- (\S.{0,500}) stdout ----$/;
const result = /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed;(?: (\d{1,9}) ignored;)?/;
const rerun = /^error: (?:doc)?test failed, to rerun pass [`'](.{1,200})[`']$/;
const killed = "  process didn't exit successfully: ";
const signalled = " (signal: ";
const manner = / - (?:should panic|compile fail|compile)$/;
const lineOfExample = / \(line \d{1,9}\)$/;

/** `told`: the error that a test returned, or the note that it did not panic. */
type TestSaid = { panic: PanicReader | null; told: string | null; first: string | null };
const nothing: TestSaid = { panic: null, told: null, first: null };

function openCargoTest(): LineReader {
  const findings = listFindings();
  const said = new Map<string, TestSaid>();
  const finished: string[] = [];
  let isRunning = false;
  let isList = false;
  let seen = new Set<string>();
  let listed = new Set<string>();
  let current: TestSaid | null = null;
  let panic: PanicReader | null = null;
  let target: string | null = null;

  const keep = (names: Set<string>, name: string | undefined): void => {
    if (name === undefined || names.size >= maxFindings) return;
    const bare = name.replace(manner, "");
    if (!/\s/.test(bare) || lineOfExample.test(bare)) names.add(bare);
  };
  const saidOf = (name: string): TestSaid => {
    const known = said.get(name) ?? { ...nothing };
    if (said.size < 2 * maxFindings) said.set(name, known);
    return known;
  };
  const finish = (): void => {
    if (finished.length < 2 * maxFindings) finished.push(...(listed.size > 0 ? listed : seen));
    seen = new Set();
    listed = new Set();
    isRunning = false;
    isList = false;
    current = null;
  };
  const readPanic = (line: string): boolean => {
    const opened = openPanic(line);
    if (opened === null) return false;
    panic = opened;
    // A documentation test panics in the main thread of its own program.
    const owner = opened.thread === "main" ? current : saidOf(opened.thread);
    if (owner !== null) owner.panic ??= opened;
    return true;
  };
  const readRunning = (line: string): void => {
    if (line.startsWith("test ")) {
      const [, passed, failed, ignored = 0] = result.exec(line) ?? [];
      if (passed === undefined) {
        keep(seen, progress.exec(line)?.[1]);
        return;
      }
      findings.count({ passed: Number(passed), failed: Number(failed), skipped: Number(ignored) });
      finish();
      return;
    }
    if (line.startsWith("---- ")) {
      const [, name] = section.exec(line) ?? [];
      if (name !== undefined) {
        current = saidOf(name);
        panic = null;
        return;
      }
    }
    if (line === "failures:") {
      isList = true;
      listed = new Set();
      panic = null;
      return;
    }
    isList &&= line.startsWith("    ");
    if (isList) keep(listed, line.slice(4));
    else if (line.endsWith(" --- FAILED")) keep(seen, quietProgress.exec(line)?.[1]);
    else if (panic === null && current !== null && line !== "") {
      current.first ??= line;
      if (line.startsWith("Error: ") || line.startsWith("note: test did not panic")) current.told ??= line;
    }
  };

  return {
    read: (line) => {
      const first = line.charCodeAt(0);
      if (first === 0x74 && readPanic(line)) return;
      panic?.read(line);
      if (line.startsWith("note: run with ") || line === "stack backtrace:") panic = null;
      if (first === 0x65 && line.startsWith("error: ")) target = rerun.exec(line)?.[1] ?? target;
      else if (target !== null && first === 0x20) {
        const at = line.startsWith(killed) && line.endsWith(")") ? line.lastIndexOf(signalled) : -1;
        if (at !== -1) {
          const message = `the tests were ended by ${line.slice(at + 2, -1)}`;
          findings.add({ id: target, file: null, line: null, message });
          return;
        }
      }
      if (isRunning) return readRunning(line);
      if (first === 0x72) isRunning = running.test(line);
    },
    end: () => {
      finish();
      for (const name of finished) {
        const { panic: why, told, first } = said.get(name) ?? nothing;
        const { file, line, message }: Said = why?.end() ?? { file: null, line: null, message: null };
        const words = (message ?? told ?? first ?? "failed").replace(/^note: /, "");
        findings.addEach({ id: name.replace(lineOfExample, ""), file, line, message: words });
      }
      const read = findings.end();
      return read && { ...read, failed: Math.max(read.failed ?? 0, findings.size()) };
    },
  };
}

/** Rust's compiler and linter clippy, and cargo's manifest errors. Warnings are not failures. */
export const rustc: ToolReader = { tool: "rustc", kind: "findings", open: openRustc };

const error = /^error(?:\[(E\d{4})\])?: (\S.{0,2000})$/;
const arrow = /^ {1,12}--> ([^\s:][^:]{0,400}):(\d{1,9}):(\d{1,9})$/;
const gutter = /^ {2,12}\|$/;
const short = /^([^\s:][^:]{0,400}\.rs):(\d{1,9}):(\d{1,9}): error(?:\[(E\d{4})\])?: (\S.{0,2000})$/;
const uncompiled = "error: could not compile ";
const testOutput = /^---- \S.{0,500} stdout ----$/;

interface Pending {
  readonly code: string | undefined;
  readonly message: string;
  readonly place?: { readonly file: string; readonly line: number; readonly column: string };
}

/** Count an error only with the position and source margin below it, since programs may print the same words. */
function openRustc(): LineReader {
  const places = listPlaces();
  let pending: Pending | null = null;
  let isTest = false;
  let uncompiledCrates = 0;
  const readBelow = (line: string): void => {
    if (pending === null) return;
    if (line.includes("--> ")) {
      const [, file, at, column] = arrow.exec(line) ?? [];
      pending =
        file === undefined || column === undefined || pending.place !== undefined
          ? null
          : { ...pending, place: { file, line: Number(at), column } };
      return;
    }
    if (gutter.test(line)) {
      const { code, message, place } = pending;
      if (place !== undefined) places.add({ ...place, code, message });
      else if (message.startsWith("linking with ")) places.add({ file: "linker", line: null, message });
    }
    pending = null;
  };
  return {
    read: (line) => {
      if (isTest) {
        isTest = !line.startsWith("test result: ");
        return;
      }
      const first = line.charCodeAt(0);
      if (first === 0x65 && line.startsWith("error")) {
        const [, code, message] = error.exec(line) ?? [];
        pending = message === undefined ? null : { code, message };
        if (line.startsWith(uncompiled)) uncompiledCrates += 1;
      } else if (pending !== null) readBelow(line);
      else if (first === 0x2d) isTest = testOutput.test(line);
      else if (line.includes(": error")) {
        const [, file, at, column, code, message] = short.exec(line) ?? [];
        if (file !== undefined && message !== undefined) places.add({ file, line: Number(at), column, code, message });
      }
    },
    end: () => (places.size() === 0 ? places.end({ failed: uncompiledCrates }) : places.end()),
  };
}
