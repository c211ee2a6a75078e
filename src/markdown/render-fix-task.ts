import { toMarkdown } from "mdast-util-to-markdown";
import type { FixTask } from "../model/fix-task.ts";
import type { TaskFields } from "../model/task.ts";
import { encodeText } from "./encode-text.ts";
import { splitLines, trimBlank } from "./line-ending.ts";
import { machineWordOffsets, withoutMachineWords } from "./machine-words.ts";
import { plainLine } from "./plain-line.ts";
import { readVerify } from "./read-verify.ts";
import type { TaskStyle } from "./task-style.ts";

/** A field of the repaired task as its lines stand in the document. */
export interface FieldLines {
  readonly lines: readonly string[];
  readonly value: string;
}

/** A fix task in lines, and what they have to read as. */
export interface RenderedFix {
  readonly lines: readonly string[];
  readonly title: string;
  readonly fields: Required<TaskFields>;
}

const detail = 500;

/**
 * Write a fix task in the style of the task it repairs.
 *
 * @param fix
 *   Its texts are untrusted: each becomes one line of plain text.
 * @param copied
 *   Lines of the repaired task that are taken over.
 */
export function renderFixTask(
  fix: FixTask,
  style: TaskStyle,
  copied: { readonly files?: FieldLines; readonly verify?: FieldLines },
): RenderedFix {
  const summary = encode(plainLine(fix.summary, 50) || `task ${fix.fixOf} failure`, "x Fix: ");
  const error = plainLine(fix.error, detail) || generic.error;
  const attemptedFix = plainLine(fix.attemptedFix, detail) || generic.attemptedFix;
  const commit = withoutMachineWords(plainLine(fix.commit, detail)) || `fix: address error from task ${fix.fixOf}`;
  const fields = {
    do: field("Do", [
      `Address the error: ${encode(error, "x Address the error: ")}`,
      `1. Analyze the failure: ${encode(attemptedFix, "x Analyze the failure: ")}`,
      "2. Review related code in Files list",
      `3. Implement fix for: ${encode(error, "x Implement fix for: ")}`,
    ]),
    files: copied.files ?? field("Files", [encode(plainLine(flat(fix.files), 4 * detail) || generic.files, "x ")]),
    doneWhen: field("Done when", [`Error "${encode(error, 'x Error "', '" no')}" no longer occurs`]),
    verify: copied.verify ?? field("Verify", renderVerify(trimBlank(fix.verify) || generic.verify)),
    commit: field("Commit", [codeSpan(commit)]),
  };
  const title = `Fix: ${summary}`;
  const head = `${style.marker}${style.gap}[ ] ${fix.id}${style.separator} [FIX ${fix.fixOf}] ${title}`;
  return {
    lines: [`${style.prefix}${head}`, ...Object.values(fields).flatMap(({ lines }) => lines)],
    title,
    fields: {
      do: fields.do.value,
      files: fields.files.value,
      doneWhen: fields.doneWhen.value,
      verify: fields.verify.value,
      commit: fields.commit.value,
    },
  };

  function field(label: string, [first = "", ...rest]: readonly string[]): FieldLines {
    const margin = `${style.prefix}${" ".repeat(style.indent)}`;
    const inner = rest.map((line) => (line === "" ? line : `${margin}  ${line}`));
    return {
      lines: [`${margin}${style.bullet} **${label}**: ${first}`.trimEnd(), ...inner],
      value: trimBlank([first, ...inner].join("\n")),
    };
  }
}

/** Texts that stand in for those that are empty or stand in the way. */
export const generic = {
  error: "Task execution failed",
  attemptedFix: "No previous fix attempted",
  files: ".",
  verify: "echo 'Verify manually'",
};

const encode = (text: string, before: string, after = ""): string => encodeText(text, before, after);
const flat = (text: string): string => splitLines(text).map(trimBlank).join("; ");

/** A Verify that runs the same command as before, or reads as the same text when it runs none. */
function renderVerify(value: string): string[] {
  const verify = readVerify(value);
  if (verify.kind === "command" && verify.word === null) {
    return splitLines(verify.command).length > 1 ? ["", ...fence(verify.command)] : [codeSpan(verify.command)];
  }
  const line = plainLine(flat(value), 4 * detail);
  const isSafe = line === value && machineWordOffsets(line).length === 0;
  return [isSafe ? line : encode(line, "x ")];
}

const codeSpan = (value: string): string => trimBlank(toMarkdown({ type: "inlineCode", value }));
const fence = (value: string): string[] => splitLines(trimBlank(toMarkdown({ type: "code", lang: "bash", value })));
