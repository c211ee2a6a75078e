import { readVerify } from "../markdown/tasks/read-verify.ts";
import type { EffectInput } from "../model/effect.ts";
import type { Outcome } from "../ports/attempt-record.ts";
import { findTask } from "./find-task.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Put together what the parts of a decomposed task claim, as an attempt on the whole that began with the first of
 * them. Without parts, since all were left out, nothing is claimed.
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
  // Where a part is left out, only a Verify can say that the whole is done all the same.
  const claims = leftOut === 0 || isChecked ? made : [];
  const text = claims.map(({ reply }) => reply.text).join("\n\n");
  const tree = made.at(-1)?.left;
  return { answer: { kind: "gathered" }, facts: { reply: { reply: { text }, headBefore, mark, fileState, tree } } };
}
