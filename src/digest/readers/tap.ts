import {
  type FindingList,
  type LineReader,
  listFindings,
  type Reading,
  type ToolCounts,
  type ToolReader,
} from "../reader.ts";
import { behindCrash, type NodeCrash, readNodeCrash } from "./node.ts";
import { readTapDetails, type TapDetails } from "./tap-details.ts";

const mostWaiting = 500;

interface Point {
  /** Names of the point's known parents and of the point, outermost first. `depth` is the depth of the first name. */
  path: readonly string[];
  depth: number;
  readonly details: TapDetails;
  readonly crash: NodeCrash | null;
}

const pointForm = /^( {0,80})(not ok|ok)\b(?: {1,8}(\d{1,9}))?(?: {1,8}- {0,8}| {1,8}|$)(.*)$/;
const planForm = /^ {0,80}1\.\.\d{1,9}(?:\s|$)/;
const subtestForm = /^( {0,80})# Subtest: (.*)$/;
const directive = /(?<!\\)# {0,4}(?:skip|todo)\b/i;
const timing = /(?<!\\)# time=\S{1,40}$/;

/**
 * Read the Test Anything Protocol, with subtests of any depth.
 *
 * @param isOfNode Whether to read the output of Node's runner, or of all other tools.
 */
function readTap(isOfNode: boolean): LineReader {
  const found: FindingList = listFindings();
  let waiting: Point[] = [];
  let last: { point: Point; indent: number } | null = null;
  let details: { readonly reading: ReturnType<typeof readTapDetails>; readonly indent: number } | null = null;
  let subtests: string[] = [];
  let seen: boolean[] = [];
  let announced: { readonly depth: number; readonly name: string } | null = null;
  let isTap = false;
  /** Without header and plan, the protocol is recognised by a failed point and consecutive numbers from 1. */
  let hasFailedPoint = false;
  let next = 1;
  let isNode = false;
  let failed = 0;
  let ran = 0;
  let skipped = 0;
  let bailed: string | null = null;
  const counts = new Map<string, number>();
  const readCrash = readNodeCrash();
  let crash: NodeCrash | null = null;

  const settle = (): void => {
    if (details === null) return;
    const told = details.reading.end();
    if (last !== null) Object.assign(last.point.details, told);
    if (told.isNode === true) isNode = true;
    details = null;
  };
  const add = ({ path, details, crash }: Point): void => {
    const { message, file, line, expected, actual } = details;
    const id = path.join(" > ");
    found.addEach({
      id,
      file: file ?? null,
      line: line ?? null,
      ...behindCrash(message ?? path.at(-1) ?? id, crash),
      ...(expected !== undefined && { expected }),
      ...(actual !== undefined && { actual }),
    });
  };

  const isOwn = ({ details: { isParent, failureType } }: Point): boolean =>
    isParent !== true || (failureType !== undefined && failureType !== "subtestsFailed");
  /** Add top-level points: they have no parent to wait for. */
  const flush = (): void => {
    const done = waiting.filter(({ depth }) => depth === 0);
    if (done.length === 0) return;
    waiting = waiting.filter(({ depth }) => depth > 0);
    for (const point of done) if (isOwn(point)) add(point);
  };
  const readPoint = (indent: number, isOk: boolean, text: string, number: string): void => {
    flush();
    last = null;
    const depth = indent / 4;
    if (depth === 0) {
      hasFailedPoint ||= !isOk && text !== "";
      if (number !== "") next = Number(number) === next ? next + 1 : Number.NaN;
    }
    const [told = ""] = text.split(directive, 1);
    const isExempt = told.length < text.length;
    const name = unescapeTap(told.replace(timing, "").trim()) || `test ${number}`;
    // Only Node announces a test without subtests.
    if (announced !== null && announced.depth === depth && announced.name === name) isNode = true;
    announced = null;
    const hasChildren = seen[depth + 1] === true;
    seen = seen.slice(0, depth + 1);
    seen[depth] = true;
    subtests = subtests.slice(0, depth);
    if (!hasChildren && isExempt) skipped += 1;
    else if (!hasChildren) ran += 1;
    if (isOk || isExempt) {
      // Drop failures below a passed or exempt point.
      waiting = waiting.filter((point) => point.depth <= depth);
      return;
    }
    const children = waiting.filter((point) => point.depth > depth);
    for (const child of children) {
      child.path = [name, ...child.path];
      child.depth = depth;
    }
    const point: Point = { path: [name], depth, details: { isParent: children.length > 0 }, crash };
    crash = null;
    if (children.length === 0) failed += 1;
    if (waiting.length < mostWaiting) waiting.push(point);
    last = { point, indent };
  };

  const readComment = (line: string): void => {
    crash = readCrash(line.slice(2)) ?? crash;
    const named = subtestForm.exec(line);
    if (named !== null) {
      const depth = (named[1] ?? "").length / 4;
      const name = unescapeTap((named[2] ?? "").trim());
      if (!Number.isInteger(depth)) return;
      subtests = [...subtests.slice(0, depth), name];
      announced = { depth, name };
      return;
    }
    const [, file, at] = /\bin test file (\S{1,400}), line (\d{1,9})\)/.exec(line) ?? [];
    if (file !== undefined && last !== null) Object.assign(last.point.details, { file, line: Number(at) });
    const [, name, number] = /^# (tests|pass|fail|cancelled|skipped|todo) {1,4}(\d{1,9})$/.exec(line) ?? [];
    // Several runs, as of the packages of a workspace, are one output.
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + Number(number));
  };

  return {
    read: (line) => {
      const first = firstChar(line);
      if (details !== null) {
        if (!endsDetails(line, first, details.indent)) {
          if (details.reading.read(line)) settle();
          return;
        }
        settle();
      }
      if (first === "#") return readComment(line);
      if (first === "-" && last !== null && line.trim() === "---") {
        const indent = line.indexOf("-");
        if (indent > last.indent && indent <= last.indent + 4)
          details = { reading: readTapDetails(indent), indent: last.indent };
        return;
      }
      if (first === "1") {
        if (!planForm.test(line)) return;
        isTap = true;
        announced = null;
        return;
      }
      if (first === "T") {
        if (/^ {0,80}TAP version 1\d$/.test(line)) isTap = true;
        return;
      }
      if (first === "B") {
        if (line.startsWith("Bail out!") && (isTap || ran > 0)) {
          bailed = line.trim();
          isTap = true;
        }
        return;
      }
      if (first !== "n" && first !== "o") return;
      const [, spaces = "", state, number = "", text = ""] = pointForm.exec(line) ?? [];
      if (state === undefined || spaces.length % 4 !== 0) return;
      readPoint(spaces.length, state === "ok", text, number);
    },
    end: (): Reading | null => {
      settle();
      flush();
      // If the line of a point's parent is missing, take the name from the comment before the point.
      for (const point of waiting) {
        const above = subtests.slice(0, point.depth);
        point.path = [...above, ...point.path];
        if (above.length === point.depth && isOwn(point)) add(point);
      }
      if ((!isTap && (!hasFailedPoint || Number.isNaN(next))) || isNode !== isOfNode) return null;
      if (bailed !== null) found.add({ id: bailed, file: null, line: null, message: bailed });
      const stated = toldByNode(counts);
      const known = { failed: Math.max(failed, found.size()), ran, skipped };
      return found.end(isOfNode ? (stated ?? known) : { ...known, ...stated, failed: known.failed });
    },
  };
}

export function toldByNode(counts: ReadonlyMap<string, number>): ToolCounts | null {
  const count = (name: string): number => counts.get(name) ?? 0;
  if (!counts.has("fail") || !counts.has("pass")) return null;
  const failed = count("fail") + count("cancelled");
  return { failed, ran: failed + count("pass"), skipped: count("skipped") + count("todo") };
}

/** Whether a line ends the details of a point. Lines outside of the protocol do not end them. */
function endsDetails(line: string, first: string, indent: number): boolean {
  if (first !== "n" && first !== "o" && first !== "#" && first !== "1") return false;
  if (line.search(/\S/) > indent) return false;
  return pointForm.test(line) || planForm.test(line) || subtestForm.test(line);
}

function firstChar(line: string): string {
  for (let at = 0; at < line.length && at <= 80; at += 1) {
    const code = line.charCodeAt(at);
    if (code !== 0x20) return line.charAt(at);
  }
  return "";
}

const unescapeTap = (text: string): string => text.replace(/\\([\\#])/g, "$1");

/** TAP output of all tools except Node's runner. An id consists of the names, outermost first. */
export const tap: ToolReader = { tool: "tap", kind: "tests", open: () => readTap(false) };

export const nodeTap: ToolReader = { tool: "node:test", kind: "tests", open: () => readTap(true) };
