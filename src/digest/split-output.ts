import { parseJson } from "../model/parse-json.ts";
import { escapeSequence } from "../model/text.ts";
import type { LineReader, Reading, SaidReader, ToolReader } from "./reader.ts";

export interface Told {
  readonly tool: ToolReader;
  readonly read: Reading;
}

/**
 * Pass an output that comes in pieces to the readers of tools; each gets every line and every report.
 *
 * @param see Also gets each line, including a last line that may be cut.
 */
export function readForTools(tools: readonly ToolReader[], see: (line: string) => void) {
  const readers = tools.map((tool) => ({ tool, reader: tool.open() }));
  const reports = collectReports({
    json: (report) => {
      for (const { reader } of readers) reader.json?.(report);
    },
    xml: (report) => {
      for (const { reader } of readers) reader.xml?.(report);
    },
  });
  const lines = splitOutput((line, whole, isEnded) => {
    // Skip a cut line: it may yield a name that no other run prints.
    if (isEnded) for (const { reader } of readers) reader.read?.(line);
    reports.read(whole);
    see(line);
  });
  return {
    write: lines.write,
    end: (): Told[] => {
      lines.end();
      reports.end();
      return readers.flatMap(({ tool, reader }) => {
        const read = reader.end();
        return read === null ? [] : [{ tool, read }];
      });
    },
  };
}

/** Drop the reading of human-readable output if a machine-readable report repeats it. */
export function withoutRepeats(told: readonly Told[]): readonly Told[] {
  const reports = new Set(told.flatMap(({ tool }) => (tool.kind === "report" ? tool.tool : [])));
  return told.filter(({ tool: { kind, tool } }) => kind !== "tests" || !(reports.has(tool) || reports.has("junit")));
}

/** Maximum length of a report in characters: a longer report is skipped, or cut if it is XML. */
const longestReport = 8 * 1024 * 1024;

/**
 * The first key of each supported report, or the first two keys if the first is common. The reports are those of Jest,
 * Vitest, Mocha, Playwright, Biome, oxlint, ESLint, RSpec and ShellCheck. Logs in JSON start with other keys, so they
 * are not parsed.
 */
const jsonOpening =
  /^(?:\[\s{0,20})?\{\s{0,20}"(?:numFailedTestSuites|numTotalTestSuites|stats|config|summary|diagnostics|filePath|version":\s{0,20}"[^"]{1,40}",\s{0,20}"examples|comments|file":\s{0,20}"[^"]{1,1000}",\s{0,20}"line)"/;
/** The start of a JSON report whose first key may be on the next line. */
const jsonBeginning = /^(?:\[|\{|\[\s{0,20}\{)\s{0,20}$/;
const xmlOpening = /^\s{0,40}<(?:\?xml|testsuites?[\s>])/;
const otherElement = /^\s{0,40}<(?!\?xml|!--|!DOCTYPE|testsuites?[\s>])/;

const mayOpenReport = (text: string): boolean => jsonOpening.test(text) || xmlOpening.test(text);

/**
 * Find the reports in an output; each starts at the start of a line. Takes linear time and keeps one report at a
 * time.
 */
function collectReports(tell: Required<Pick<LineReader, "json" | "xml">>): SaidReader<void> {
  let kept: string[] = [];
  let length = 0;
  let form: "json" | "maybe json" | "xml" | null = null;
  let isRooted = false;
  let closesJson = bracketCounter();

  const drop = (): void => {
    kept = [];
    length = 0;
    form = null;
    isRooted = false;
  };
  const keep = (line: string): boolean => {
    length += line.length + 1;
    if (length > longestReport) return false;
    kept.push(line);
    return true;
  };

  const readJson = (line: string): void => {
    const end = closesJson(line);
    if (!keep(end === -1 ? line : line.slice(0, end))) {
      drop();
      return;
    }
    if (end === -1) return;
    const value = parseJson(kept.join("\n"));
    drop();
    if (value !== undefined) tell.json(value);
  };
  const readOpening = (line: string): void => {
    const opening = [...kept, line].join("\n");
    if (jsonOpening.test(opening)) {
      drop();
      form = "json";
      closesJson = bracketCounter();
      readJson(opening);
    } else if (jsonBeginning.test(opening)) {
      form = "maybe json";
      keep(line);
    } else if (form !== null) {
      drop();
      open(line);
    }
  };

  const tellXml = (): void => {
    const text = kept.join("\n");
    const isReport = isRooted;
    drop();
    if (isReport) tell.xml(text);
  };
  const readXml = (line: string): void => {
    if (!isRooted && otherElement.test(line)) {
      drop();
      return;
    }
    isRooted ||= line.includes("<testsuite");
    if (!keep(line) || line.includes("</testsuites>")) tellXml();
  };

  const open = (line: string): void => {
    const first = line.charCodeAt(0);
    if (first === 0x7b || first === 0x5b) readOpening(line);
    else if ((first === 0x3c || first === 0x20 || first === 0x09) && xmlOpening.test(line)) {
      form = "xml";
      readXml(line);
    }
  };

  return {
    read: (line) => {
      if (form === null) return open(line);
      if (form === "maybe json") return readOpening(line);
      if (form === "xml") {
        if (!isRooted || !line.startsWith("<?xml")) return readXml(line);
        tellXml();
        return open(line);
      }
      // In a formatted report, no object starts at the start of a line, except those of oxlint.
      if (jsonOpening.test(line)) {
        drop();
        return open(line);
      }
      readJson(line);
    },
    end: () => {
      if (form === "xml") tellXml();
      drop();
    },
  };
}

/** Find the offset after the closing outermost bracket; -1 while it is open. */
function bracketCounter(): (line: string) => number {
  let depth = 0;
  let isInText = false;
  const sign = /[[\]{}"]|\\./g;
  return (line) => {
    // A string of JSON ends on its line, unless other output came in between.
    isInText = false;
    sign.lastIndex = 0;
    for (let found = sign.exec(line); found !== null; found = sign.exec(line)) {
      const [text] = found;
      if (text === '"') isInText = !isInText;
      if (isInText || text === '"' || text.startsWith("\\")) continue;
      depth += text === "{" || text === "[" ? 1 : -1;
      if (depth === 0) return sign.lastIndex;
    }
    return -1;
  };
}

const longestLine = 4096;
/** Maximum length of a line before escape sequences are removed, unless the line may be a report. */
const longestRaw = 4 * longestLine;

/**
 * Split an output into lines of any ending, as a terminal shows them: without escape sequences, and without text that a
 * lone carriage return overwrites. Memory does not grow with the length of a line.
 *
 * @param see Gets the read part of a line, the longer part for reports, and whether the line has ended.
 */
export function splitOutput(see: (line: string, whole: string, isEnded: boolean) => void) {
  let open = "";
  let longest = 0;
  const add = (text: string): void => {
    if (open === "") longest = longestRaw;
    // Decide once for each line, as soon as enough of the line is known.
    if (longest === longestRaw && open.length + text.length > longestRaw) {
      longest = mayOpenReport(open.length < 100 ? open + text.slice(0, 100) : open) ? longestReport : longestRaw + 1;
    }
    if (open.length < longest) open += text.length > longest ? text.slice(0, longest) : text;
  };
  const tell = (isEnded: boolean): void => {
    const whole = shownOf(open);
    see(whole.length > longestLine ? whole.slice(0, longestLine) : whole, whole, isEnded);
    open = "";
  };
  return {
    write: (piece: string): void => {
      let start = 0;
      for (let feed = piece.indexOf("\n"); feed !== -1; feed = piece.indexOf("\n", start)) {
        add(piece.slice(start, feed));
        tell(true);
        start = feed + 1;
      }
      if (start < piece.length) add(piece.slice(start));
    },
    /** Pass the last line if it has no ending: it may be cut. */
    end: (): void => {
      if (open !== "") tell(false);
    },
  };
}

function shownOf(raw: string): string {
  const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
  const plain = mayHoldEscape.test(line) ? line.replace(escapeSequence, "") : line;
  const last = plain.lastIndexOf("\r");
  return last === -1 ? plain : plain.slice(last + 1);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finds escape characters
const mayHoldEscape = /[\u001B\u009B]/;
