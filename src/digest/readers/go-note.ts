/** What a Go test has said of its failure. */
export interface GoNote {
  readonly file: string | null;
  readonly line: number | null;
  readonly message: string | null;
  readonly expected?: string;
  readonly actual?: string;
}

/** Reads what is printed of one test. */
export interface GoNoteReader {
  readonly read: (line: string) => void;
  readonly end: () => GoNote;
}

const log = /^\s{1,60}([^\s:]{1,200}\.go):(\d{1,9}): ?(.{0,1000})$/;
/** `Error:`, `expected:` and `actual  :` of testify. */
const field = /^\s{1,60}(Error|expected|actual) {0,2}:\s{0,20}(\S.{0,1000})$/;
const frame = /^\t(\S{1,300}_test\.go):(\d{1,9})(?: |$)/;

/** The first log of a test, what an example has printed instead, or why the test panicked. */
export function readGoNote(): GoNoteReader {
  let note: GoNote = { file: null, line: null, message: null };
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

function withField(note: GoNote, line: string): GoNote {
  const [, name, value] = field.exec(line) ?? [];
  if (value === undefined) return note;
  if (name === "Error") return { ...note, message: note.message ?? value };
  return name === "expected"
    ? { ...note, expected: note.expected ?? value }
    : { ...note, actual: note.actual ?? value };
}
