import type { Signal } from "../model/evidence.ts";
import { Role, roles, worksOnTasks } from "../model/role.ts";
import { clamp, escapeSequence } from "../model/text.ts";
import { parseFailureHeading } from "./parse-failure.ts";
import { eachLine, lastFenced, saidParagraphs, spokenLines, unbold } from "./read-lines.ts";

const asking = /^BLOCKED[*_`]{0,3}:[*_`]{0,3}(.*)$/s;

/** Texts after `BLOCKED:` which say that nothing blocks the task. */
const nothing = /^(?:none|no|nothing|n\/a|nil|-|no (?:blockers?|questions?|issues?)|not blocked)[.!]?$/i;

/** Maximum length of a question, in characters. */
const longest = 2000;

/**
 * Find the question to a person: the text after `BLOCKED:` at the start of a line, and the lines directly below. Quotes
 * and fences are ignored, except a fence of one line at the end.
 *
 * @param text The whole final message, untrusted. @see docs/protocol.md
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

/** Text after `BLOCKED:`, without emphasis and code marks; null for other lines. */
function askedIn(line: string): string | null {
  const bare = withoutMarks(line);
  const rest = asking.exec(bare)?.[1]?.trim();
  if (rest === undefined) return null;
  const isMarked = /[*_`]/.test(line.slice(0, line.length - bare.length));
  const asked = isMarked ? rest.replace(/(?<![*_`])[*_`]+$/, "").trim() : rest;
  return nothing.test(asked) ? null : asked;
}

const admission =
  /\bI (?:don't|do not) know how to\b|\bI(?:'m| am) not sure what(?:'s| is) causing\b|\bI(?:'ve| have) tried everything I can think of\b/i;

/** Each phrase contains one of these parts, even across lines, and most messages contain none. */
const admissionKey = /know\s+how\s+to|not\s+sure\s+what|everything\s+I\s+can/i;

/**
 * Find the first phrase in which a message admits being stuck. Quotes and code are ignored; negations are not
 * recognized.
 *
 * @param text The whole final message, untrusted. @returns Lower case, with straight apostrophes.
 */
export function findAdmission(text: string): string | null {
  if (!admissionKey.test(text)) return null;
  for (const said of saidParagraphs(text)) {
    const [phrase] = admission.exec(said.replace(/[’ʼ]/g, "'")) ?? [];
    if (phrase !== undefined) return phrase.toLowerCase();
  }
  return null;
}

const completionsOfOthers = (role: Role): readonly string[] =>
  worksOnTasks(role)
    ? Role.options.filter((other) => other !== role && worksOnTasks(other)).flatMap(completionsOf)
    : [];

const completionsOf = (role: Role): readonly string[] => roles[role].completions;

/** Every signal contains one of these parts, and most texts contain none. */
const words = ["FAIL", "_COMPLETE", "_PASS", "BLOCKED"];

/**
 * Parse the signal of a final message: a line of its own outside of quotes, or the only line of a fence at the end.
 * Emphasis, code marks, list and check marks, a full stop and `<promise>` around it are ignored. A failure counts more
 * than a completion, and a question to a person counts most.
 *
 * @param text The whole final message, untrusted. @returns `failed` for `VERIFICATION_FAIL` or a failure block;
 * `blocked` for `BLOCKED:` with a question; `misplaced` for a verifier's `TASK_COMPLETE` or an executor's
 * `VERIFICATION_PASS`; null without a signal. @see docs/protocol.md
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

const marked =
  /^(?:[\s*_`#•+\-=([✅✓✔☑🎉🚀✨🏁]|\d{1,3}[.)](?=\s)|\[[xX]\]|<(?:promise|signal|b|strong)>)*([A-Z][A-Z_]*[A-Z])(?:[\s*_`.。!;,\-=)\]✅✓✔☑🎉🚀✨🏁]|<\/(?:promise|signal|b|strong)>)*$/u;
/** Invisible characters, and backslashes that escape `_` in markdown. */
const invisible = /\p{Cf}|\uFE0F|\\(?=_)/gu;

/** The only word of a line, without marks; null if there are more words. */
export function loneWord(line: string): string | null {
  const seen = line.replace(escapeSequence, "").replace(invisible, "");
  // With an open box, the line says that the work is not done.
  return seen.includes("[ ]") ? null : (marked.exec(seen)?.[1] ?? null);
}

const before = /^(?:[\s*_`#•+\-✅✓✔☑]|\uFE0F|\d{1,3}[.)](?=\s)|\[[xX]\]|<promise>)*/u;

const withoutMarks = (line: string): string => line.replace(before, "");

/** Lines that can hold a signal: the agent's own lines, and the only line of a fence at the end. */
const signalLines = (text: string): string[] => [...spokenLines(text), lastFenced(text) ?? ""];
