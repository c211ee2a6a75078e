import type { TaskId } from "../model/task-id.ts";

/** Heading, list and emphasis marks, and the crosses agents like. A code mark is not among them: it quotes. */
const leading = /^(?:[\s#*_+-]|❌|✗|✘|✖|⚠|🔴|\uFE0F)*/u;
const subject = /^Task[ \t:*_]+([^\s:]{1,80})(.*)$/s;
const idMarks = /^[*_[`]+|(?<![*_\]`,])[*_\]`,]+$/g;
/** Between the id and the name; FAILED itself may stand in place of the name. */
const separator = /^[\s*_]*(?:[:(–—-]|FAILED)/;
const remark = /^(?:[^\p{L}\p{N}]*$|\s*[(:]|\s+[–—-])/u;

/**
 * The task a line announces as failed: `Task 1.3: Add failure parser FAILED`, with any form of id, with or without
 * a name, and however it is emphasised. FAILED ends the line, but for marks and a remark behind a separator, so a
 * name may hold the word.
 *
 * @returns The id as it stands there; null when the line is no such heading.
 */
export function parseFailureHeading(line: string): TaskId | null {
  if (!line.includes("FAILED")) return null;
  const [, id = "", rest = ""] = subject.exec(line.replace(leading, "")) ?? [];
  const at = rest.lastIndexOf("FAILED");
  const announced = at > 0 && separator.test(rest) && !/[\p{L}\p{N}]/u.test(rest.charAt(at - 1));
  return announced && remark.test(rest.slice(at + "FAILED".length)) ? id.replace(idMarks, "") : null;
}
