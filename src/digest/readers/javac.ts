import { listPlaces, type PlacedMessage } from "../place-list.ts";
import type { LineReader, ToolReader } from "../reader.ts";

/** The compiler of Java, also as Maven prints what it says. */
export const javac: ToolReader = { tool: "javac", kind: "findings", open: openJavac };

const plain = /^([^\s:[][^:]{0,500}\.java):(\d{1,9}): error: (\S.{0,2000})$/;
const ofMaven = /^\[ERROR\] ([^\s:[][^:]{0,500}\.java):\[(\d{1,9}),(\d{1,9})\] (\S.{0,2000})$/;
const symbol = /^(?:\[ERROR\])? {1,4}symbol: {1,4}(\S.{0,500})$/;
const counted = /^(?:\[INFO\] )?\d{1,9} errors? ?$/;

function openJavac(): LineReader {
  const places = listPlaces();
  /** What is missing is told some lines later. */
  let pending: PlacedMessage | null = null;
  const close = (name?: string): void => {
    if (pending === null) return;
    places.add(name === undefined ? pending : { ...pending, message: `${pending.message}: ${name}` });
    pending = null;
  };
  const add = (placed: PlacedMessage): void => {
    close();
    if (placed.message === "cannot find symbol") pending = placed;
    else places.add(placed);
  };
  return {
    read: (line) => {
      if (line.includes(".java:")) {
        if (line.startsWith("[ERROR] ")) {
          const [, file, at, column, said] = ofMaven.exec(line) ?? [];
          const message = said?.replace(/^error: /, "");
          if (file !== undefined && message !== undefined) add({ file, line: Number(at), column, message });
        } else if (line.includes(": error: ")) {
          const [, file, at, message] = plain.exec(line) ?? [];
          if (file !== undefined && message !== undefined) add({ file, line: Number(at), message });
        }
      } else if (pending !== null) {
        const [, name] = line.includes("symbol:") ? (symbol.exec(line) ?? []) : [];
        if (name !== undefined || counted.test(line)) close(name);
      }
    },
    end: () => (pending === null ? places.end() : places.end({ failed: places.size() + 1 })),
  };
}
