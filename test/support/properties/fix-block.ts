import assert from "node:assert/strict";
import { preambleLength } from "../../../src/markdown/document/cut-chunks.ts";
import { plainLine, withoutMachineWords } from "../../../src/markdown/text/plain-line.ts";
import type { FixTask } from "../../../src/model/failure.ts";
import type { Task } from "../../../src/model/task.ts";
import { type ReadNode, readItemElsewhere, showsAs } from "../commonmark-oracle.ts";

const generic = { error: "Task execution failed", attemptedFix: "No previous fix attempted" };

/**
 * Compares the block with an independent parser, except `Files` and `Verify`, which may come from the plan.
 *
 * @returns `generic texts` if the block has generic texts, or the reason why nothing was compared.
 */
export function assertReadsAsFix(text: string, added: Task, fix: FixTask, task: Task): string | undefined {
  const preamble = preambleLength(text);
  const linesBefore = text.slice(0, preamble).split(/\r\n|\n|\r/).length - 1;
  const item = readItemElsewhere(text.slice(preamble), added.line - linesBefore);
  assert.ok(item !== null, "the fix is not exactly one item");
  const [head, ...lists] = item.children;
  assert.ok(
    lists.every(({ type }) => type === "list"),
    "the block contains something other than lists",
  );
  // `Files` and `Verify` may have `*` in place of `-`, and then belong to separate lists.
  const fields = lists.flatMap(({ children }) => children);
  assert.equal(fields.length, Object.keys(added.fields).length, "the block has other fields");
  const separator = /^\[ \] [^ ]*?([.:]?) \[(?:FIX|US\d)/.exec(head?.text ?? "")?.[1] ?? "";
  const shown = [head?.text ?? "", ...textsOf(fields[0]), ...textsOf(fields[2])];
  const given = {
    summary: plainLine(fix.summary, 50) || `task ${task.id} failure`,
    error: plainLine(fix.error, 500) || generic.error,
    attemptedFix: plainLine(fix.attemptedFix, 500) || generic.attemptedFix,
    doneWhen: plainLine(fix.doneWhen, 540),
  };
  const stories = storiesOf(task)
    .map((story) => ` [${story}]`)
    .join("");
  const stated = textsWith(given);
  const untold = textsWith({ ...generic, summary: `task ${task.id} failure`, doneWhen: "" });
  const isGeneric = shown.join("\n") === untold.join("\n") && stated.join("\n") !== untold.join("\n");
  const isStated = shown.length === stated.length && shown.every((text, at) => showsAs(text, stated[at] ?? ""));
  // A label in brackets becomes a link if the plan defines that label.
  const isLinked = shown.some((text) => /\0(?:link|image)\(/.test(text)) && /\[[^\]]*\]:/.test(text);
  if (isLinked) return "a label of the plan";
  if (!isGeneric && !isStated) assert.deepEqual(shown, stated);
  const commit = withoutMachineWords(plainLine(fix.commit, 500)) || `fix: address error from task ${task.id}`;
  const [label, ...more] = textsOf(fields.at(-1));
  assert.equal(more.length, 0);
  if (!showsAs(label ?? "", `Commit: ${commit}`)) assert.equal(label, `Commit: ${commit}`);
  return isGeneric ? "generic texts" : undefined;

  function textsWith({ summary, error, attemptedFix, doneWhen }: Told): string[] {
    return [
      `[ ] ${fix.id}${separator}${stories} [FIX ${fix.fixOf}] Fix: ${summary}`,
      `Do: Address the error: ${error}`,
      `Analyze the failure: ${attemptedFix}`,
      "Review related code in Files list",
      `Implement fix for: ${error}`,
      `Done when: ${doneWhen || `Error "${error}" no longer occurs`}`,
    ];
  }
}

export const storiesOf = ({ markers }: Task): string[] => markers.filter((marker) => /^US\d+$/.test(marker));

type Told = Pick<FixTask, "summary" | "error" | "attemptedFix" | "doneWhen">;

const textsOf = (node: ReadNode | undefined): string[] =>
  node === undefined
    ? []
    : [
        ...(node.type === "paragraph" ? [node.text.replace(/^\0strong\(([A-Z][a-z ]+)\)/, "$1")] : []),
        ...node.children.flatMap(textsOf),
      ];
