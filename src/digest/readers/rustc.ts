import { listPlaces } from "../place-list.ts";
import type { LineReader, ToolReader } from "../reader.ts";

/** The compiler of Rust and its linter clippy, and cargo on its manifests. Warnings are no failures. */
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

/** An error is one with the place and the margin of the source below it: the same words may be printed by programs. */
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
