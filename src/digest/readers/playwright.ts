import { listFindings } from "../finding-list.ts";
import type { Finding, LineReader, ToolReader } from "../reader.ts";
import { stackPlace } from "../stack-place.ts";

/** `[project] › tests/a.spec.ts:3:5 › suite › test ────` */
const titleForm = /^(?:\[([^\]]{1,100})\] › )?([^›:]{1,500}\.\w{1,5}):(\d{1,9}):\d{1,9} › (.+?)(?: ─{2,400})?$/;
const numbered = /^ {2}(\d{1,9})\) (.*)$/;
const group = /^ {2}(\d{1,9}) (failed|flaky|skipped|passed|interrupted|did not run)(?: \(.{1,40}\))?$/;

/** Playwright Test where it prints for people. An id is the project, the path of a file and the names below it. */
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
    if (found.size < 500 && !found.has(finding.id)) found.set(finding.id, finding);
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
        if (listed !== null && failedIds.size < 500) failedIds.add(listed.id);
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
      // The details of a test that passed when it was tried again are printed, too.
      const isSummed = counts.has("failed") || counts.has("passed") || counts.has("flaky");
      for (const finding of found.values()) if (!isSummed || failedIds.has(finding.id)) list.add(finding);
      const failed = (counts.get("failed") ?? 0) + (counts.get("interrupted") ?? 0);
      if (!isSummed) return isRetried ? null : list.end();
      return list.end({ failed, ran: failed + (counts.get("passed") ?? 0) + (counts.get("flaky") ?? 0) });
    },
  };
}

function readTitle(text: string): Finding | null {
  const [, project, file, line, names] = titleForm.exec(text) ?? [];
  if (file === undefined || names === undefined) return null;
  return { id: playwrightId(project ?? "", file, names.split(" › ")), file, line: Number(line), message: "" };
}

/** The same for a title that is printed and for one of a report: tags are set behind a title in only one of them. */
export function playwrightId(project: string, file: string, names: readonly string[]): string {
  const name = names.map(untagged).join(" > ").replaceAll(" › ", " > ");
  return `${project === "" ? "" : `[${project}] `}${file} > ${name}`;
}

function untagged(name: string): string {
  const words = name.trim().split(" ");
  return words.slice(0, words.findLastIndex((word) => !word.startsWith("@")) + 1).join(" ");
}
