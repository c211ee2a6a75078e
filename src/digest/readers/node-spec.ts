import { type Finding, type FindingList, type LineReader, listFindings, type ToolReader } from "../reader.ts";
import { stackPlace } from "../shapes.ts";
import { behindCrash, type NodeCrash, readNodeCrash } from "./node.ts";
import { toldByNode } from "./tap.ts";

const mostWaiting = 500;

interface Failed {
  readonly shown: string;
  readonly isSuite: boolean;
  isListed: boolean;
  finding: Finding;
  readonly crash: NodeCrash | null;
}

const duration = / \(\d{1,12}(?:\.\d{1,9})?ms\)$/;
const preciseDuration = / \(\d{1,12}\.\d{4,9}ms\)$/;
const exemption = / \(\d{1,12}(?:\.\d{1,9})?ms\) # /;

/**
 * Human-readable output of Node's runner. Each test has a line when it ends, below the lines of its suites. The failed
 * tests are listed again at the end with their positions, but without their suites.
 */
export const nodeSpec: ToolReader = { tool: "node:test", kind: "tests", open: readSpec };

function readSpec(): LineReader {
  const failures: Failed[] = [];
  let suites: string[] = [];
  let isNode = false;
  let isSummary = false;
  let place: { file: string; line: number } | null = null;
  let untold: Failed | null = null;
  const counts = new Map<string, number>();
  const readCrash = readNodeCrash();
  let crash: NodeCrash | null = null;

  const readFailed = (line: string, depth: number, text: string): void => {
    const shown = text.trimEnd();
    const isSuite = suites.length > depth && nameOf(shown) === suites[depth];
    // A cancelled test has no duration.
    if (!duration.test(shown) && (depth === 0 || suites.length < depth)) return;
    if (suites.length < depth) return;
    if (preciseDuration.test(shown)) isNode = true;
    const path = [...suites.slice(0, depth), nameOf(shown)];
    suites = suites.slice(0, isSuite ? depth : suites.length);
    if (exemption.test(line) || failures.length >= mostWaiting) return;
    const id = path.join(" > ");
    const finding = { id, file: null, line: null, message: "" };
    untold = { shown, isSuite, isListed: false, finding, crash: depth === 0 ? crash : null };
    crash = null;
    failures.push(untold);
  };
  const readListed = (shown: string): void => {
    untold = failures.find((each) => !each.isListed && each.shown === shown) ?? null;
    if (untold === null) return;
    untold.isListed = true;
    if (place !== null) untold.finding = { ...untold.finding, ...place };
    place = null;
  };
  const readMessage = (line: string): void => {
    if (untold === null) return;
    const { finding } = untold;
    if (finding.message === "") {
      untold.finding = { ...finding, message: plainMessage(line) };
      return;
    }
    // The values of a comparison are on the next lines.
    if (finding.message.endsWith(":") && !/^(?:\+ actual|at )/.test(line)) {
      untold.finding = { ...finding, message: `${finding.message} ${line}` };
    }
    const [, name, value = ""] = /^(actual|expected): (.{1,400}?),?$/.exec(line) ?? [];
    if (name === "actual" && value !== "undefined") untold.finding = { ...finding, actual: value };
    if (name === "expected" && value !== "undefined") untold.finding = { ...finding, expected: value };
    const at = finding.file === null && line.startsWith("at ") ? stackPlace(line) : null;
    if (at !== null) untold.finding = { ...finding, ...at };
  };

  return {
    read: (line) => {
      crash = readCrash(line) ?? crash;
      const from = indentOf(line);
      const sign = line.charCodeAt(from);
      if (sign === 0x2139) {
        const [, name, number] = /^ℹ (tests|pass|fail|cancelled|skipped|todo) {1,4}(\d{1,9})$/.exec(line) ?? [];
        if (name === undefined) return;
        isNode = true;
        untold = null;
        counts.set(name, (counts.get(name) ?? 0) + Number(number));
        return;
      }
      if (sign === 0x25b6 && from % 2 === 0 && line.charCodeAt(from + 1) === 0x20) {
        const depth = from / 2;
        untold = null;
        if (suites.length >= depth && depth < 100) suites = [...suites.slice(0, depth), line.slice(from + 2).trim()];
        return;
      }
      if (sign === 0x2714 && from % 2 === 0) {
        untold = null;
        if (preciseDuration.test(line)) isNode = true;
        if (suites[from / 2] === nameOf(line.slice(from + 2).trimEnd())) suites = suites.slice(0, from / 2);
        return;
      }
      if (sign === 0x2716 && line.charCodeAt(from + 1) === 0x20) {
        if (line.trimEnd() === "✖ failing tests:") {
          isSummary = true;
          isNode = true;
          untold = null;
        } else if (!isSummary && from % 2 === 0) readFailed(line, from / 2, line.slice(from + 2));
        else if (isSummary && from === 0) readListed(line.slice(2).trimEnd());
        return;
      }
      if (isSummary && sign === 0x74 && from === 0) {
        const [, file, number] = /^test at (.{1,1000}):(\d{1,9}):\d{1,9}$/.exec(line) ?? [];
        if (file !== undefined) place = { file, line: Number(number) };
        return;
      }
      if (untold !== null && from < line.length) readMessage(line.trim());
    },
    end: () => {
      if (!isNode) return null;
      const found: FindingList = listFindings();
      for (const { finding, isSuite, isListed, crash } of failures) {
        if (!isSuite || isListed) found.addEach({ ...finding, ...behindCrash(finding.message, crash) });
      }
      return found.end(toldByNode(counts) ?? {});
    },
  };
}

function indentOf(line: string): number {
  let at = 0;
  while (at < line.length && at < 200 && line.charCodeAt(at) === 0x20) at += 1;
  return at;
}

function nameOf(shown: string): string {
  const at = shown.search(exemption);
  return (at === -1 ? shown.replace(duration, "") : shown.slice(0, at)).trim();
}

const plainMessage = (line: string): string => {
  const text = line.replace(/^[A-Z]\w{0,60}(?: \[\w{1,60}\])?: /, "");
  return /^'.*'$/.test(text) ? text.slice(1, -1) : text;
};
