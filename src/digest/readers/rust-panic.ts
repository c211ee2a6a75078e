/** Why a thread of Rust panicked. */
export interface RustPanic {
  readonly file: string | null;
  readonly line: number | null;
  readonly message: string | null;
}

/** Reads a panic from the line that names it on. */
export interface PanicReader {
  readonly thread: string;
  readonly read: (line: string) => void;
  readonly end: () => RustPanic;
}

const opening = "thread '";
const place = /^([^\s:][^:]{0,400}):(\d{1,9}):\d{1,9}:$/;
/** The end of the one-line form of compilers before 1.73. */
const oldPlace = /', ([^\s:'][^:']{0,400}):(\d{1,9}):\d{1,9}$/;
const side = /^ {1,2}(left|right): (.{1,1000})$/;

/** @returns Null when the line does not name a panic. */
export function openPanic(line: string): PanicReader | null {
  if (!line.startsWith(opening)) return null;
  const end = line.indexOf("' ", opening.length);
  const at = line.indexOf("panicked at ", end);
  if (end === -1 || at === -1 || at > end + 24) return null;
  const told = line.slice(at + "panicked at ".length);
  const [, file, number] = place.exec(told) ?? [];
  let panic: RustPanic = { file: file ?? null, line: file === undefined ? null : Number(number), message: null };
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

/** The old form has values in backticks, the first with a comma behind it. */
const withoutTicks = (value: string): string => (value.startsWith("`") ? value.slice(1).replace(/`,?$/, "") : value);
