import { plainLine } from "../../markdown/text/plain-line.ts";
import type { Approach } from "../../model/escalation.ts";
import type { TaskId } from "../../model/task.ts";
import { encodeLine } from "./report-text.ts";

/** Code points of what was tried, and of what came of it. */
const longest = 300;
/** What reads the same in bold, whatever stands behind it. */
const plainWords = /^[\p{L}\p{N}](?:[\p{L}\p{N} ,;:./'()+-]*[\p{L}\p{N}])?$/u;

/**
 * What was tried and what came of it, as the content of an item.
 *
 * @param task The stuck task; another one that was tried is named.
 */
export function tellApproach({ strategy, error, task: tried }: Approach, task: TaskId): string {
  const name = plainLine(strategy ?? "", longest);
  const where = tried === task ? "" : ` (task ${tried})`;
  const result = `${plainLine(error, longest)}${where}`;
  if (name === "") return encodeLine(result);
  const end = `- ${result}`;
  return plainWords.test(name) ? encodeLine(end, `**${name}**`) : encodeLine(`${name} ${end}`);
}
