import { plainLine } from "../markdown/text/plain-line.ts";
import type { AddedResult } from "../model/pull-request.ts";

const maxReason = 1000;

/**
 * What is written below a review comment. Words of executors are quoted as plain text: they mention nobody, give no
 * command to a program, and close no issue.
 */
export function answerText(task: string, { commit, reply }: AddedResult, marker: string): string {
  const what =
    commit === null
      ? `No change was made (task ${task}).\n\n${quoted(reply)}`
      : `Addressed in ${commit} (task ${task}).`;
  return `${what.trim()}\n\n${marker}\n`;
}

function quoted(reply: string): string {
  const words = plainLine(reply.replace(/\bTASK_COMPLETE\b|<!--[\s\S]*?(?:-->|$)/g, " "), maxReason);
  return words === "" ? "" : `> ${inert(words)}`;
}

/**
 * One line of foreign text in which a forge finds no mention, reference, link, tag, list or command. Words with which it
 * would close an issue stand apart from the number.
 */
export const inert = (line: string): string =>
  line
    .replace(/[\\`*_[\]<>|~#]/g, "\\$&")
    .replace(/^(\d{0,9})([-+.)])/, "$1\\$2")
    .replace(/@(?=[\w-])/g, "@\u200B")
    .replace(/\/(?=[a-z/])/gi, "/\u200B")
    .replace(/:(?=\/)/g, ":\u200B")
    .replace(/\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(:?\s+)(?=\S*#)/gi, "$1\u200B$2");
