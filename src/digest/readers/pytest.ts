import {
  type Counts,
  type LineReader,
  listFindings,
  maxFindings,
  numbersIn,
  type Reading,
  type SaidReader,
  type ToolReader,
} from "../reader.ts";
import { type FailedItem, frameOf, itemOfProgress, itemOfSummary, openSection, type Section } from "./pytest-parts.ts";
import { withoutAssertion } from "./unittest.ts";

/**
 * Names of failed tests are in the short summary and, with `-v`, in the progress lines. Without summary and progress
 * lines, names are built from the titles of the sections and the first file in each section.
 */
export const pytest: ToolReader = { tool: "pytest", kind: "tests", open: openPytest };

const sectionsOf = ["ERRORS", "FAILURES"];
const summaryTitle = "short test summary info";
const sessionTitle = "test session starts";
/** `=== 2 failed, 3 passed in 0.12s ===`, without its frame when quiet. */
const sumLine = /^(?:=+ )?(no tests ran|\d{1,9} [a-z ]{1,20}(?:, \d{1,9} [a-z ]{1,20}){0,10}) in \d{1,9}\.\d{1,6}s\b/;
const progressOfFile = /^(\S{1,500}) [.a-zA-Z]{1,200}(?: +\[ *\d{1,3}%\])?$/;

type Zone = "outside" | "session" | "sections" | "summary";

function openPytest(): LineReader {
  const items = new Map<string, FailedItem>();
  const sections: Section[] = [];
  const files = new Set<string>();
  let zone: Zone = "outside";
  let part = "";
  let isCaptured = false;
  /** Number of open runs of pytest within the output of a failed test. */
  let nested = 0;
  let section: SaidReader<Section> | null = null;
  let unnamed = 0;
  let counts: Counts | null = null;

  const addItem = (item: FailedItem | null): void => {
    if (item !== null && items.size < 2 * maxFindings) items.set(`${item.isError} ${item.id}`, item);
  };
  const closeSection = (): void => {
    const closed = section?.end() ?? null;
    section = null;
    if (closed === null) return;
    if (sections.length < maxFindings) sections.push(closed);
    else unnamed += 1;
  };
  const openPart = (title: string): void => {
    if (title === sessionTitle && isCaptured) {
      nested += 1;
      return;
    }
    if (title === "FAILURES" && isCaptured && part === title) return;
    closeSection();
    isCaptured = false;
    part = title;
    if (title === sessionTitle) zone = "session";
    else if (sectionsOf.includes(title)) zone = "sections";
    else zone = title === summaryTitle ? "summary" : "session";
  };
  const count = (line: string): boolean => {
    const [, told] = sumLine.exec(line) ?? [];
    if (told === undefined) return false;
    if (nested > 0) {
      nested -= 1;
      return true;
    }
    closeSection();
    zone = "outside";
    counts = sumUp(told, counts ?? {});
    return true;
  };

  return {
    read: (line) => {
      const first = line.charCodeAt(0);
      const isDigit = first >= 0x30 && first <= 0x39;
      if (first === 0x3d || isDigit || line.startsWith("no tests ran in ")) {
        if (line.includes(" in ") && count(line)) return;
        const title = isDigit ? null : frameOf(line, "=");
        if (title !== null && (nested === 0 || title === sessionTitle)) return openPart(title);
      }
      if (zone === "outside" || nested > 0) return;
      if (zone === "sections") {
        if (first === 0x2d && line.startsWith("----") && line.includes(" Captured ")) isCaptured = true;
        const title = first === 0x5f ? frameOf(line, "_") : null;
        if (title !== null) {
          closeSection();
          isCaptured = false;
          section = openSection(title);
        } else if (!isCaptured) section?.read(line);
      } else if (zone === "summary") addItem(itemOfSummary(line));
      else if (line.includes("::")) addItem(itemOfProgress(line));
      else if (part === sessionTitle && files.size < 2 * maxFindings) {
        const [, file] = line.length < 300 ? (progressOfFile.exec(line) ?? []) : [];
        if (file !== undefined) files.add(file);
      }
    },
    end: () => conclude([...items.values()], sections, files, counts, unnamed),
  };
}

function conclude(
  items: readonly FailedItem[],
  sections: readonly Section[],
  files: ReadonlySet<string>,
  counts: Counts | null,
  unnamed: number,
): Reading | null {
  const findings = listFindings();
  // Do not count tests that failed only because of their subtests.
  const parents = new Set(items.flatMap(({ parent }) => parent ?? []));
  const left = [...sections];
  let dropped = 0;
  for (const { id, file, title, isError, message } of items) {
    if (parents.has(id) && !isError) {
      dropped += 1;
      continue;
    }
    const fits = (each: Section): boolean => each.title === title && each.isError === isError;
    const own = left.findIndex((each) => fits(each) && isSameFile(each.file, file));
    const at = own === -1 ? left.findIndex(fits) : own;
    const [found] = at === -1 ? [] : left.splice(at, 1);
    findings.add({
      id,
      file,
      line: found && isSameFile(found.file, file) ? found.line : null,
      message: withoutAssertion(found?.message ?? message ?? "failed"),
    });
  }
  if (items.length === 0) {
    for (const { title, isError, isCollection, file, line, message } of sections) {
      const isKnown = file !== null && (files.size === 0 ? !file.startsWith("/") : files.has(file));
      if (isCollection) findings.add({ id: title, file: title, line: null, message });
      else if (isKnown && !isError) {
        const id = `${file}::${withColons(title)}`;
        findings.add({ id, file, line, message: withoutAssertion(message ?? "failed") });
      }
    }
  }
  if (counts !== null) {
    findings.count(counts);
    const read = findings.end();
    return read && { ...read, failed: Math.max(0, (read.failed ?? 0) - dropped) };
  }
  return findings.end(items.length === 0 && sections.length > 0 ? { failed: sections.length + unnamed } : {});
}

const isSameFile = (place: string | null, file: string): boolean =>
  place !== null && (place === file || place.endsWith(`/${file}`));

/**
 * Convert the title of a section to the name of its test: `TestCart.test_total[1.5]` to `TestCart::test_total[1.5]`.
 */
function withColons(title: string): string {
  const end = title.search(/[[ ]/);
  return end === -1 ? title.replaceAll(".", "::") : title.slice(0, end).replaceAll(".", "::") + title.slice(end);
}

function sumUp(told: string, { passed = 0, failed = 0, skipped = 0 }: Counts): Counts {
  const count = numbersIn(told);
  return {
    passed: passed + count("passed", "xpassed", "xfailed"),
    failed: failed + count("failed", "error", "errors"),
    skipped: skipped + count("skipped"),
  };
}
