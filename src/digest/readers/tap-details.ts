import { type Place, stackPlace } from "../shapes.ts";

export interface TapDetails {
  isParent?: boolean;
  /** True if durations have a form that only Node's runner prints. */
  isNode?: boolean;
  failureType?: string;
  message?: string;
  expected?: string;
  actual?: string;
  file?: string;
  line?: number;
}

const keyForm = /^ {0,90}(\w{1,30}): {0,8}(.*)$/;

export interface TapDetailsReading {
  /** Returns true at the end of the block. */
  readonly read: (line: string) => boolean;
  readonly end: () => TapDetails;
}

/** @param indent Indentation of the three hyphens that begin the block. */
export function readTapDetails(indent: number): TapDetailsReading {
  const told = new Map<string, string>();
  let stack: Place | null = null;
  let outer = "";
  let key = "";
  return {
    read: (line) => {
      const at = line.search(/\S/);
      if (at === -1) return false;
      if (at === indent && line.trimEnd().endsWith("...") && line.trim() === "...") return true;
      if (at < indent) return false;
      stack ??= stackPlace(line) ?? stackPlace(`at ${line.trim()}`);
      const [, name, value = ""] = keyForm.exec(line) ?? [];
      // Keys are not indented or, with tape, by two; keys of `at` by two more.
      if (name !== undefined && at <= indent + 2) {
        if (at === indent || !isBlock(told.get(outer))) {
          key = name;
          outer = name;
        } else key = `${outer}.${name}`;
        if (!told.has(key)) told.set(key, value.trim());
      } else if (name !== undefined && /^at$/.test(outer) && at <= indent + 4) {
        if (!told.has(`at.${name}`)) told.set(`at.${name}`, value.trim());
      } else if (isBlock(told.get(key))) told.set(key, line.trim());
      return false;
    },
    end: () => toDetails(told, stack),
  };
}

const isBlock = (value: string | undefined): boolean => value === "" || /^[|>][-+]?\d?$/.test(value ?? "-");

function toDetails(told: ReadonlyMap<string, string>, stack: Place | null): TapDetails {
  const text = (key: string): string | undefined => {
    const value = told.get(key);
    return value === undefined || isBlock(value) ? undefined : unquote(value);
  };
  const message = text("error") ?? text("message") ?? text("operator");
  const expected = text("expected") ?? text("wanted");
  const actual = text("actual") ?? text("found") ?? text("got");
  const failureType = text("failureType");
  const place = placeOf(text) ?? stack;
  return {
    ...(told.has("duration_ms") && { isNode: true }),
    ...(failureType !== undefined && { failureType }),
    ...(message !== undefined && { message }),
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
    ...(place !== null && { file: place.file, line: place.line }),
  };
}

function placeOf(text: (key: string) => string | undefined): Place | null {
  const file = text("at.fileName") ?? text("at.file");
  const line = text("at.lineNumber") ?? text("at.line");
  if (file !== undefined && line !== undefined) return { file, line: Number(line) };
  const [, located, number] = /^(.{1,1000}):(\d{1,9}):\d{1,9}$/.exec(text("location") ?? "") ?? [];
  if (located !== undefined) return { file: located, line: Number(number) };
  return stackPlace(`at ${text("at") ?? ""}`);
}

function unquote(value: string): string {
  const quote = value.charAt(0);
  if (value.length < 2 || (quote !== "'" && quote !== '"') || !value.endsWith(quote)) return value;
  const inner = value.slice(1, -1);
  return quote === "'" ? inner.replaceAll("''", "'") : inner.replace(/\\(["\\])/g, "$1");
}
