import { listFindings } from "../finding-list.ts";
import { type LineReader, maxFindings, type ToolReader } from "../reader.ts";
import { openPanic, type PanicReader, type RustPanic } from "./rust-panic.ts";

/**
 * Rust's tests as cargo runs them. What is printed of the binary that holds a test comes through another stream, so that
 * it is not part of a name.
 */
export const cargoTest: ToolReader = { tool: "cargo test", kind: "tests", open: openCargoTest };

const running = /^running \d{1,9} tests?$/;
const progress = /^test (\S.{0,500}) \.\.\. FAILED$/;
const quietProgress = /^(\S.{0,500}) --- FAILED$/;
const section = /^---- (\S.{0,500}) stdout ----$/;
const result = /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed;/;
const rerun = /^error: (?:doc)?test failed, to rerun pass [`'](.{1,200})[`']$/;
const killed = "  process didn't exit successfully: ";
const signalled = " (signal: ";
/** What is said of how a test has to fail. */
const manner = / - (?:should panic|compile fail|compile)$/;
const lineOfExample = / \(line \d{1,9}\)$/;

interface Said {
  panic: PanicReader | null;
  /** What a test has given back, or that it did not panic. */
  told: string | null;
  first: string | null;
}

function openCargoTest(): LineReader {
  const findings = listFindings();
  const said = new Map<string, Said>();
  const finished: string[] = [];
  let isRunning = false;
  let isList = false;
  let seen = new Set<string>();
  let listed = new Set<string>();
  let current: Said | null = null;
  let panic: PanicReader | null = null;
  let target: string | null = null;
  let counts: { failed: number; ran: number } | null = null;

  const keep = (names: Set<string>, name: string | undefined): void => {
    if (name === undefined || names.size >= maxFindings) return;
    const bare = name.replace(manner, "");
    if (!/\s/.test(bare) || lineOfExample.test(bare)) names.add(bare);
  };
  const saidOf = (name: string): Said => {
    const known = said.get(name) ?? { panic: null, told: null, first: null };
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
    // Tests of documentation panic in a program of their own.
    const owner = opened.thread === "main" ? current : saidOf(opened.thread);
    if (owner !== null) owner.panic ??= opened;
    return true;
  };
  const readRunning = (line: string): void => {
    if (line.startsWith("test ")) {
      const [, passed, failed] = result.exec(line) ?? [];
      if (passed === undefined) {
        keep(seen, progress.exec(line)?.[1]);
        return;
      }
      const { failed: others, ran } = counts ?? { failed: 0, ran: 0 };
      counts = { failed: others + Number(failed), ran: ran + Number(passed) + Number(failed) };
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
    if (isList) {
      isList = line.startsWith("    ");
      if (isList) {
        keep(listed, line.slice(4));
        return;
      }
    }
    if (line.endsWith(" --- FAILED")) {
      keep(seen, quietProgress.exec(line)?.[1]);
      return;
    }
    if (panic !== null || current === null || line === "") return;
    current.first ??= line;
    if (line.startsWith("Error: ") || line.startsWith("note: test did not panic")) current.told ??= line;
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
        const { panic: why, told, first } = said.get(name) ?? { panic: null, told: null, first: null };
        const { file, line, message }: RustPanic = why?.end() ?? { file: null, line: null, message: null };
        const words = (message ?? told ?? first ?? "failed").replace(/^note: /, "");
        findings.addEach({ id: name.replace(lineOfExample, ""), file, line, message: words });
      }
      const failed = Math.max(counts?.failed ?? 0, findings.size());
      return findings.end({ failed, ran: counts?.ran });
    },
  };
}
