import type { Report } from "./reader.ts";

/** Characters of a report that are kept: what is longer is not read, or cut where it is XML. */
export const longestReport = 8 * 1024 * 1024;

/** Puts reports together from the lines of an output. */
export interface ReportCollector {
  /** @param line All of a line, as far as it is kept. */
  readonly read: (line: string) => void;
  readonly end: () => void;
}

/**
 * The first key of each report that is known, or the first two where one is common: of Jest, Vitest, Mocha, Playwright,
 * Biome, oxlint, ESLint, RSpec and ShellCheck. Logs in JSON
 * begin with others, so that they are not taken apart.
 */
const jsonOpening =
  /^(?:\[\s{0,20})?\{\s{0,20}"(?:numFailedTestSuites|numTotalTestSuites|stats|config|summary|diagnostics|filePath|version":\s{0,20}"[^"]{1,40}",\s{0,20}"examples|comments|file":\s{0,20}"[^"]{1,1000}",\s{0,20}"line)"/;
/** What may go on so in the next line. */
const jsonBeginning = /^(?:\[|\{|\[\s{0,20}\{)\s{0,20}$/;
const xmlOpening = /^\s{0,40}<(?:\?xml|testsuites?[\s>])/;
const otherElement = /^\s{0,40}<(?!\?xml|!--|!DOCTYPE|testsuites?[\s>])/;

/** Whether a report may begin with these characters. */
export const mayOpenReport = (text: string): boolean => jsonOpening.test(text) || xmlOpening.test(text);

/**
 * Find the reports in an output; each begins at the beginning of a line. Takes linear time and keeps one report at a
 * time.
 */
export function collectReports(tell: (report: Report) => void): ReportCollector {
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
    if (value !== undefined) tell({ form: "json", value });
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
    if (isReport) tell({ form: "xml", text });
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
      // Within a report that is laid out, no object begins at the beginning of a line, but for those of oxlint.
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

/** Tells where the outermost bracket closes that the lines it is given open: behind it, or -1. */
function bracketCounter(): (line: string) => number {
  let depth = 0;
  let isInText = false;
  const sign = /[[\]{}"]|\\./g;
  return (line) => {
    // A text of JSON ends in its line: where it does not, something was printed between.
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
