import { type Finding, type LineReader, listFindings, maxFindings, type ToolReader } from "../reader.ts";
import { stackPlace } from "../shapes.ts";

const passing = /^ {2}(\d{1,9}) passing \(\d[^()]{0,20}\)$/;
const failing = /^ {2}(\d{1,9}) failing$/;
const pending = /^ {2}(\d{1,9}) pending$/;
const crashForm = /^ Exception during run: (\S.{0,1000})$/;
const numberedTitle = /^ {2}(\d{1,9})\) (.*)$/;

/** Human-readable output of Mocha. An id is the full title of a test, joined with spaces. */
export const mocha: ToolReader = { tool: "mocha", kind: "tests", open: readMocha };

function readMocha(): LineReader {
  let found = listFindings();
  let passed: number | null = null;
  let failed: number | null = null;
  const all = { ran: 0, skipped: 0 };
  let isSummed = false;
  let next = 1;
  let title: string[] | null = null;
  let current: Finding | null = null;
  let crash: Finding | null = null;

  const finish = (): void => {
    if (current !== null) found.addEach(current);
    current = null;
  };
  /** A title continues on the next line, indented further, up to its test. */
  const readTitle = (line: string, parts: string[]): boolean => {
    const indent = 5 + 2 * parts.length;
    if (line.search(/\S/) === indent && parts.length < 100) {
      parts.push(line.trim());
      return true;
    }
    title = null;
    const last = parts.at(-1) ?? "";
    if (!last.endsWith(":")) return false;
    const id = [...parts.slice(0, -1), last.slice(0, -1)].join(" ");
    current = { id, file: null, line: null, message: "" };
    return false;
  };
  const readDetail = (finding: Finding, line: string): void => {
    const text = line.trim();
    if (finding.message === "") {
      current = { ...finding, message: text.replace(/^[A-Z]\w{0,60}(?: \[\w{1,60}\])?: /, "") };
    } else if (finding.message.endsWith(":")) current = { ...finding, message: `${finding.message} ${text}` };
    else if (/^-\S/.test(text) && finding.actual === undefined && line.startsWith("      -")) {
      current = { ...finding, actual: text.slice(1) };
    } else if (/^\+\S/.test(text) && finding.expected === undefined && line.startsWith("      +")) {
      current = { ...finding, expected: text.slice(1) };
    } else if (finding.line === null && text.startsWith("at ")) {
      const place = stackPlace(text);
      if (place !== null) current = { ...finding, ...place };
    }
  };

  /** A file that cannot be loaded ends the run. */
  const readCrash = (line: string): void => {
    const [, said] = crashForm.exec(line) ?? [];
    if (said !== undefined) {
      const [, file, number] = /^([^:]{1,500}\.\w{1,5}):(\d{1,9})$/.exec(said) ?? [];
      crash = {
        id: file ?? said,
        file: file ?? null,
        line: number === undefined ? null : Number(number),
        message: said,
      };
    } else if (crash !== null && crash.id === crash.file && /^\w{1,60}: \S/.test(line)) {
      crash = { ...crash, message: line };
      found.add(crash);
      crash = null;
    }
  };

  return {
    read: (line) => {
      if (crash !== null || line.startsWith(" Exception during run: ")) readCrash(line);
      if (failed === null || line.endsWith("ing") || line.endsWith(")")) {
        const [, count] = passing.exec(line) ?? [];
        if (count !== undefined) {
          passed = Number(count);
          failed = null;
          isSummed = true;
          all.ran += passed;
          return;
        }
        if (passed === null) return;
        const [, lost] = failing.exec(line) ?? [];
        if (lost !== undefined) {
          found = listFindings();
          failed = Number(lost);
          all.ran += failed;
          next = 1;
          title = null;
          current = null;
          return;
        }
        // Between the counts of passed and failed tests only the pending count may come.
        if (failed === null) {
          const [, waits] = pending.exec(line) ?? [];
          if (waits !== undefined) all.skipped += Number(waits);
          else if (line.trim() !== "") passed = null;
          return;
        }
      }
      if (title !== null && readTitle(line, title)) return;
      const [, number, text = ""] = numberedTitle.exec(line) ?? [];
      if (Number(number) === next && next <= (failed ?? 0)) {
        finish();
        next += 1;
        title = [text.trim()];
      } else if (current !== null && line.trim() !== "") readDetail(current, line);
    },
    end: () => {
      if (title !== null) readTitle("", title);
      finish();
      if (crash !== null) found.add(crash);
      return isSummed ? found.end({ ...(failed !== null && { failed }), ...all }) : found.end();
    },
  };
}

/** `[project] › tests/a.spec.ts:3:5 › suite › test ────` */
const titleForm = /^(?:\[([^\]]{1,100})\] › )?([^›:]{1,500}\.\w{1,5}):(\d{1,9}):\d{1,9} › (.+?)(?: ─{2,400})?$/;
const numbered = /^ {2}(\d{1,9})\) (.*)$/;
const group = /^ {2}(\d{1,9}) (failed|flaky|skipped|passed|interrupted|did not run)(?: \(.{1,40}\))?$/;

/** Human-readable output of Playwright Test. An id is the project, the file path and the names below it. */
export const playwright: ToolReader = { tool: "playwright", kind: "tests", open: readPlaywright };

function readPlaywright(): LineReader {
  const found = new Map<string, Finding>();
  const failedIds = new Set<string>();
  const counts = new Map<string, number>();
  let current: Finding | null = null;
  let section: string | null = null;
  let isPlaywright = false;
  let isRetried = false;
  let next = 1;

  const start = (text: string): boolean => {
    const finding = readTitle(text);
    if (finding === null) return false;
    current = finding;
    if (found.size < maxFindings && !found.has(finding.id)) found.set(finding.id, finding);
    return true;
  };
  const readDetail = (finding: Finding, text: string): void => {
    let told: Finding | null = null;
    const [, name, value = ""] = /^(Expected|Received)(?: [a-z ]{1,30})?: {1,4}(.{1,500})$/.exec(text) ?? [];
    if (finding.message === "") told = { ...finding, message: text.replace(/^Error: /, "") };
    else if (name === "Expected" && finding.expected === undefined) told = { ...finding, expected: value };
    else if (name === "Received" && finding.actual === undefined) told = { ...finding, actual: value };
    else if (text.startsWith("at ")) {
      const place = stackPlace(text);
      if (place !== null) {
        found.set(finding.id, { ...finding, line: place.line });
        current = null;
        return;
      }
    }
    if (told === null) return;
    current = told;
    if (found.has(told.id)) found.set(told.id, told);
  };

  return {
    read: (line) => {
      if (line.charCodeAt(0) === 0x52) {
        if (/^Running \d{1,9} tests? using \d{1,5} workers?/.test(line)) {
          isPlaywright = true;
          next = 1;
        }
        return;
      }
      if (line === "Error: No tests found" && counts.size === 0) counts.set("passed", 0);
      if (!isPlaywright || line.charCodeAt(0) !== 0x20) return;
      isRetried ||= line.includes("etry #");
      const [, count, kind] = group.exec(line) ?? [];
      if (kind !== undefined) {
        current = null;
        section = kind;
        if (kind === "failed") failedIds.clear();
        counts.set(kind, Number(count));
        return;
      }
      if (section !== null && line.startsWith("    ")) {
        const listed = section === "failed" || section === "interrupted" ? readTitle(line.trim()) : null;
        if (listed !== null && failedIds.size < maxFindings) failedIds.add(listed.id);
        return;
      }
      const [, number, text = ""] = numbered.exec(line) ?? [];
      if (Number(number) === next && start(text)) {
        next += 1;
        section = null;
      } else if (current !== null && line.startsWith("    ") && line.trim() !== "") readDetail(current, line.trim());
    },
    end: () => {
      const list = listFindings();
      // Tests that pass on retry print details, too.
      const isSummed = counts.has("failed") || counts.has("passed") || counts.has("flaky");
      for (const finding of found.values()) if (!isSummed || failedIds.has(finding.id)) list.add(finding);
      const count = (...kinds: string[]): number => kinds.reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0);
      if (counts.size === 0) return isRetried ? null : list.end();
      const failed = count("failed", "interrupted");
      return list.end({ failed, ran: failed + count("passed", "flaky"), skipped: count("skipped", "did not run") });
    },
  };
}

function readTitle(text: string): Finding | null {
  const [, project, file, line, names] = titleForm.exec(text) ?? [];
  if (file === undefined || names === undefined) return null;
  return { id: playwrightId(project ?? "", file, names.split(" › ")), file, line: Number(line), message: "" };
}

/** Build the same id from printed and from reported titles, of which only some have tags at the end. */
export function playwrightId(project: string, file: string, names: readonly string[]): string {
  const name = names.map(untagged).join(" > ").replaceAll(" › ", " > ");
  return `${project === "" ? "" : `[${project}] `}${file} > ${name}`;
}

function untagged(name: string): string {
  const words = name.trim().split(" ");
  return words.slice(0, words.findLastIndex((word) => !word.startsWith("@")) + 1).join(" ");
}
