import type { Signal } from "../model/evidence.ts";
import { Role, roles, worksOnTasks } from "../model/role.ts";
import { clamp } from "../model/text.ts";
import { parseFailureHeading } from "./parse-failure.ts";
import { eachLine, lastFenced, saidParagraphs, unbold } from "./read-lines.ts";
import { loneWord, signalLines, withoutMarks } from "./signal-word.ts";

const asking = /^BLOCKED[*_`]{0,3}:[*_`]{0,3}(.*)$/s;

/** Characters of a question. */
const longest = 2000;

/**
 * The question that a message puts to a person before its author can go on: what stands behind `BLOCKED:` at the start
 * of a line, marks aside, and the lines directly below it. Null without one. Quotes do not count, nor fences with
 * other lines.
 *
 * @param text
 *   The whole final message, untrusted.
 * @see docs/protocol.md
 */
export function findBlocker(text: string): string | null {
  if (!text.includes("BLOCKED")) return null;
  let question = "";
  let isOpen = false;
  let isOver = false;
  eachLine(text, ({ kind, text: line }) => {
    if (isOver) return;
    const said = kind === "spoken" ? unbold(line.trim()) : "";
    const asked = askedIn(said);
    if (asked !== null && question === "") question = asked;
    else if (isOpen && said !== "" && asked === null && question.length < 2 * longest)
      question = `${question}\n${said}`.trim();
    else isOver = question !== "";
    isOpen = asked !== null || (isOpen && said !== "");
  });
  if (question === "") question = askedIn(lastFenced(text) ?? "") ?? "";
  return question === "" ? null : clamp(question, longest).trim();
}

/** What a line asks behind `BLOCKED:`, without the emphasis or code span around it; null for any other line. */
function askedIn(line: string): string | null {
  const bare = withoutMarks(line);
  const rest = asking.exec(bare)?.[1]?.trim();
  if (rest === undefined) return null;
  const isMarked = /[*_`]/.test(line.slice(0, line.length - bare.length));
  return isMarked ? rest.replace(/(?<![*_`])[*_`]+$/, "").trim() : rest;
}

const admission =
  /\bI (?:don't|do not) know how to\b|\bI(?:'m| am) not sure what(?:'s| is) causing\b|\bI(?:'ve| have) tried everything I can think of\b/i;

/** A piece of each phrase, wrapped or not: most messages hold none. */
const admissionKey = /know\s+how\s+to|not\s+sure\s+what|everything\s+I\s+can/i;

/**
 * The first phrase with which a message admits to be at a loss, in lower case and with straight apostrophes; null
 * without one. Phrases in quotes and code do not count; that one is denied is not understood.
 *
 * @param text
 *   The whole final message, untrusted.
 */
export function findAdmission(text: string): string | null {
  if (!admissionKey.test(text)) return null;
  for (const said of saidParagraphs(text)) {
    const [phrase] = admission.exec(said.replace(/[’ʼ]/g, "'")) ?? [];
    if (phrase !== undefined) return phrase.toLowerCase();
  }
  return null;
}

/** The lines that would complete a task in another role. */
const completionsOfOthers = (role: Role): readonly string[] =>
  worksOnTasks(role)
    ? Role.options.filter((other) => other !== role && worksOnTasks(other)).flatMap(completionsOf)
    : [];

const completionsOf = (role: Role): readonly string[] => roles[role].completions;

/** A word of each signal: most of a long output holds none. */
const words = ["FAIL", "_COMPLETE", "_PASS", "BLOCKED"];

/**
 * What a final message signals. A signal is a line of its own outside quotes, or all that stands in a fence at the end; emphasis,
 * code spans, list and check marks, a full stop and `<promise>` around it do not matter. A failed one beats a complete
 * one, and a question to a person both.
 *
 * @param text
 *   The whole final message, untrusted.
 * @returns `failed` for `VERIFICATION_FAIL` or a FAILED block, `blocked` for `BLOCKED:` with a question behind it,
 *   `misplaced` for a verifier's `TASK_COMPLETE` or an executor's `VERIFICATION_PASS`, null without any signal.
 * @see docs/protocol.md
 */
export function parseSignal(text: string, role: Role): Signal | null {
  if (!words.some((word) => text.includes(word))) return null;
  if (findBlocker(text) !== null) return "blocked";
  const own = completionsOf(role);
  const foreign = completionsOfOthers(role);
  let isComplete = false;
  let isMisplaced = false;
  for (const line of signalLines(text)) {
    const word = loneWord(line);
    if (word === "VERIFICATION_FAIL" || parseFailureHeading(line.trim()) !== null) return "failed";
    if (word === null) continue;
    isComplete ||= own.includes(word);
    isMisplaced ||= foreign.includes(word);
  }
  if (isComplete) return "complete";
  return isMisplaced ? "misplaced" : null;
}
