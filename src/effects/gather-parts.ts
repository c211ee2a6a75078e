import { readVerify } from "../markdown/tasks/read-verify.ts";
import type { EffectInput } from "../model/effect.ts";
import type { Outcome } from "../ports/attempt-record.ts";
import { findTask } from "./find-task.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Combine the claims of a decomposed task's parts into one attempt on the whole, starting with the first part. If all
 * parts were skipped, nothing is claimed.
 */
export async function gatherParts(
  ports: WholePorts,
  { task, parts, leftOut, trustExecutor }: EffectInput<"gatherParts">,
): Promise<Outcome<"gatherParts">> {
  const { attempts } = ports;
  const made = await Promise.all(parts.map((part) => attempts.recall(part)));
  const [first] = made;
  const { headBefore = null, mark = null, fileState = null } = first ?? {};
  const { fields } = await findTask(ports, task);
  const isChecked = !trustExecutor && readVerify(fields.verify).kind === "command";
  // If a part is skipped, only a Verify can show that the whole is done.
  const claims = leftOut === 0 || isChecked ? made : [];
  const text = claims.map(({ reply }) => reply.text).join("\n\n");
  const tree = made.at(-1)?.left;
  return { answer: { kind: "gathered" }, facts: { reply: { reply: { text }, headBefore, mark, fileState, tree } } };
}
