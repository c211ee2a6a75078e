import { exemption } from "../readers/node-spec.ts";
import {
  type ChecksReader,
  type ChecksTool,
  indentOf,
  numberAt,
  openTally,
  openTitles,
  type Tally,
  withoutTime,
} from "./tally.ts";

const sum = /^(?:ℹ|#) (tests|pass|fail|cancelled|skipped|todo) {1,4}(\d{1,9})$/;

/** The counts with which the runner of Node ends. */
function readSums(tally: Tally) {
  const counts = new Map<string, number>();
  return {
    read: (line: string): boolean => {
      const match = sum.exec(line);
      if (match !== null) counts.set(match[1] ?? "", numberAt(match, 2));
      return match !== null;
    },
    end: () => {
      const count = (name: string): number => counts.get(name) ?? 0;
      if (!counts.has("pass") || !counts.has("fail")) return false;
      tally.count({
        passed: count("pass"),
        failed: count("fail") + count("cancelled"),
        skipped: count("skipped") + count("todo"),
      });
      return true;
    },
  };
}

/** The runner of Node where it prints for people. */
export const nodeSpec: ChecksTool = { tool: "node:test", kind: "tests", open: openSpec };

function openSpec(): ChecksReader {
  const tally = openTally();
  const sums = readSums(tally);
  const titles = openTitles();
  const suites = new Set<string>();
  let isNode = false;
  const readTest = (line: string, indent: number, isSkipped: boolean): void => {
    // A reason stands behind the time.
    const end = line.search(exemption);
    const shown = withoutTime(line.slice(indent + 2, end === -1 ? undefined : end));
    const path = titles.at(indent / 2, shown);
    if (path === null || suites.delete(path.join(" > "))) return;
    if (isSkipped) tally.skip(path.join(" > "));
    else tally.pass(path.join(" > "));
  };
  return {
    read: (line) => {
      if (line.charCodeAt(0) === 0x2139) {
        isNode = sums.read(line) || isNode;
        return;
      }
      const indent = indentOf(line);
      if (isNode || indent % 2 !== 0 || line.charAt(indent + 1) !== " ") return;
      const sign = line.charAt(indent);
      if (sign === "▶") {
        const title = line.slice(indent + 2).trim();
        titles.open(indent / 2, title);
        const path = titles.at(indent / 2, title);
        if (path !== null && suites.size < 10_000) suites.add(path.join(" > "));
      } else if (sign === "✔" || sign === "﹣" || sign === "✖") {
        const isSkipped = exemption.test(line);
        if (sign !== "✖" || isSkipped) readTest(line, indent, sign === "﹣" || isSkipped);
        else suites.delete((titles.at(indent / 2, withoutTime(line.slice(indent + 2))) ?? []).join(" > "));
      }
    },
    end: () => (isNode && sums.end() ? tally.end() : null),
  };
}

const point = /^( {0,80})(not ok|ok)\b(?: {1,8}(\d{1,9}))?(?: {1,8}- {0,8}| {1,8}|$)(.*)$/;
const subtest = /^( {0,80})# Subtest: (.*)$/;
const plan = /^1\.\.(\d{1,9})(?:\s|$)/;
const directive = /(?<!\\)# {0,4}(?:skip|todo)\b/i;

/** The Test Anything Protocol as all print it but the runner of Node, and as that does. */
export const tap: ChecksTool = { tool: "tap", kind: "tests", open: () => openTap(false) };
export const nodeTap: ChecksTool = { tool: "node:test", kind: "tests", open: () => openTap(true) };

function openTap(isOfNode: boolean): ChecksReader {
  const tally = openTally();
  const sums = readSums(tally);
  const titles = openTitles();
  let seen: boolean[] = [];
  let isTap = false;
  let isNode = false;
  const readPoint = (depth: number, isOk: boolean, text: string, number: string): void => {
    const [told = ""] = text.split(directive, 1);
    const hasChildren = seen[depth + 1] === true;
    seen = seen.slice(0, depth + 1);
    seen[depth] = true;
    if (hasChildren) return;
    const name = told.replace(/(?<!\\)# time=\S{1,40}$/, "").trim() || `test ${number}`;
    const id = (titles.at(depth, name.replace(/\\([\\#])/g, "$1")) ?? []).join(" > ");
    if (told.length < text.length) tally.skip(id);
    else if (isOk) tally.pass(id);
    else tally.fail();
  };
  return {
    read: (line) => {
      if (plan.test(line) || /^TAP version 1\d$/.test(line) || (line.startsWith("Bail out!") && seen[0] === true))
        isTap = true;
      if (/^(?:# duration_ms \d| {2,80}duration_ms: \d)/.test(line)) isNode = true;
      if (line.startsWith("# ") && sums.read(line)) return;
      const [, inset, title] = subtest.exec(line) ?? [];
      if (inset !== undefined && title !== undefined) return titles.open(inset.length / 4, title.trim());
      const [, spaces = "", state, number = "", text = ""] = point.exec(line) ?? [];
      if (state !== undefined && spaces.length % 4 === 0) readPoint(spaces.length / 4, state === "ok", text, number);
    },
    end: () => {
      if (!isTap || isNode !== isOfNode) return null;
      if (!sums.end() && tally.end() === null) tally.count({});
      return tally.end();
    },
  };
}
