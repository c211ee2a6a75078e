import type { Code, Node, Paragraph, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import type { ProjectCheck } from "../../model/project-check.ts";
import { kindOf, type Task } from "../../model/task.ts";
import { splitLines, trimBlank } from "../text/line-ending.ts";

/** Command of a Verify field, or the reason why the field cannot be run. */
export type Verify =
  | {
      readonly kind: "command";
      /** Command line for `sh -c`. */
      readonly command: string;
      /**
       * First word of a command that is not written as code, and so may be prose: check that the word is a program.
       * Null for code.
       */
      readonly word: string | null;
    }
  | { readonly kind: "unrunnable"; readonly reason: string };

const shells = new Set(["", "sh", "bash", "shell", "zsh"]);
const closingFence = /^ *(?:`{3,}|~{3,})[ \t]*$/;
// A dot after a word, a parenthesis or a quote ends a sentence; any other dot belongs to a path.
const finalDot = /(?<=[\w)"'])\.$/;
/** A single code span, in a form that needs no parser. */
const onlySpan = /^`([^`\r\n\t\0]+)`\.?$/;
/** Remarks that only repeat that the command exits with 0. */
const success = /^(?:exits?(?: with)?(?: (?:code|status))? 0|(?:must |should )?pass(?:es)?|succeeds?)\.?$/i;
const beforeWord = /^(?:[!({][ \t]+|\([ \t]*|[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|[^\s"']*)[ \t]+)+/;

/**
 * Read the command of a Verify field.
 *
 * A command is one code span, one fence, code spans joined by `&&`, or a single line of plain text. A dot may follow
 * the command. A remark such as "exits 0" may follow code spans.
 *
 * @param value The source after the label, as `Task.fields` gives it; undefined when the task has none.
 */
export function readVerify(value: string | undefined): Verify {
  const source = trimBlank(value ?? "");
  if (source === "") return unrunnable("the task has none");
  if (!/[`~]{3}|`/.test(source)) return readBare(source);
  const only = onlySpan.exec(source)?.[1];
  // Nine of ten values have this form and need no parser.
  if (only !== undefined) return command(isPadded(only) ? only.slice(1, -1) : only, null);
  if (source.length > longest) return unrunnable(`it has more than ${longest} characters`);
  const markdown = dedent(source);
  const [block, ...others] = fromMarkdown(markdown, { extensions: [codeOnly] }).children as [
    RootContent,
    ...RootContent[],
  ];
  const besides = block.type === "code" ? others.find((other) => !isDot(other)) : others[0];
  if (besides !== undefined) return mixed(markdown, besides);
  if (block.type === "code") return readFence(source, block);
  return block.type === "paragraph" ? readSpans(markdown, block) : mixed(markdown, block);
}

function mixed(text: string, besides: Node): Verify {
  const { start, end } = besides.position as NonNullable<Node["position"]>;
  const line = splitLines(trimBlank(text.slice(start.offset, end.offset)))[0] as string;
  const points = Array.from(line);
  const quoted = points.length > 40 ? `${points.slice(0, 39).join("")}…` : line;
  return unrunnable(`there is text outside of its code${quoted === "" ? "" : `: ${quoted}`}`);
}

// Emphasis and links are slow to parse, and not needed here.
const codeOnly = { disable: { null: ["attention", "labelEnd", "labelStartImage", "labelStartLink"] } };

/** Maximum length in characters. Longer text is not a command, and slow to parse. */
const longest = 32_768;

const unrunnable = (reason: string): Verify => ({ kind: "unrunnable", reason });
const command = (text: string, word: string | null): Verify =>
  text.trim() === "" ? unrunnable("its code is empty") : { kind: "command", command: text, word };

/** If code has a blank at each end, a parser removes both blanks. */
const isPadded = (code: string): boolean => code.startsWith(" ") && code.endsWith(" ") && trimBlank(code) !== "";

function readBare(source: string): Verify {
  if (splitLines(source).length > 1) return unrunnable("it has several lines without a code fence");
  const line = source.replace(finalDot, "");
  const word = /^\S+/.exec(line.replace(beforeWord, ""))?.[0] ?? line;
  return command(line, word);
}

function readFence(source: string, { lang, value }: Code): Verify {
  const lines = splitLines(source);
  if (lines.length < 2 || !lines.some((line, index) => index > 0 && closingFence.test(line))) {
    return unrunnable("its fence is not closed");
  }
  if (!shells.has((lang ?? "").toLowerCase())) return unrunnable(`its fence contains ${lang}, not shell commands`);
  return command(value, null);
}

function readSpans(source: string, { children }: Paragraph): Verify {
  const nodes = children.map((node) => {
    if (node.type === "inlineCode") return { code: node.value };
    return { text: node.type === "text" ? node.value.trim() : null };
  });
  const last = nodes.at(-1);
  if (nodes.length > 1 && (last?.text === "." || success.test(last?.text ?? ""))) nodes.pop();
  const odd = nodes.findIndex(({ code, text }, index) => (index % 2 === 0 ? code === undefined : text !== "&&"));
  if (odd >= 0) return mixed(source, children[odd] as Node);
  if (nodes.length % 2 === 0) return mixed(source, children[nodes.length - 1] as Node);
  const codes = nodes.flatMap(({ code }) => code ?? []);
  return codes.some((code) => code.trim() === "") ? unrunnable("its code is empty") : command(codes.join(" && "), null);
}

const isDot = (node: RootContent): boolean =>
  node.type === "paragraph" &&
  node.children.length === 1 &&
  node.children[0]?.type === "text" &&
  node.children[0].value === ".";

function dedent(source: string): string {
  const [first = "", ...rest] = splitLines(source);
  const indents = rest.filter((line) => trimBlank(line) !== "").map((line) => line.search(/[^ ]|$/));
  const shared = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return [first, ...rest.map((line) => line.slice(shared))].join("\n");
}

type Check = ProjectCheck | null | undefined;

/** Use the project check as the Verify of a task that has no Verify, if the check runs for each task. */
export const withCheck = (task: Task, check: Check): Task =>
  check?.every === "task" && isBare(task)
    ? { ...task, fields: { ...task.fields, verify: writeCommand(check.command) } }
    : task;

/** Read the command that shows whether a person has fixed the task; null if only a tick of the person can show it. */
export function verifyToRerun(task: Task): Extract<Verify, { readonly kind: "command" }> | null {
  const verify = readVerify(task.fields.verify);
  return verify.kind === "command" && kindOf(task) !== "goal" ? verify : null;
}

/** Whether the project check verifies this task later, together with other tasks. */
export const isCheckedLater = (task: Task, check: Check): boolean =>
  check != null && check.every !== "task" && isBare(task);

/** The project check, with its command as markdown, if it verifies the task later; null otherwise. */
export const laterCheck = (task: Task, check: Check): ProjectCheck | null =>
  check != null && isCheckedLater(task, check) ? { ...check, command: writeCommand(check.command) } : null;

/**
 * Whether a task has no check. A fix has the check of its original, a goal has the reality check, and a group is not
 * delegated.
 */
const isBare = (task: Task): boolean =>
  task.fields.verify === undefined && task.fixOf === null && task.isGroup !== true && kindOf(task) !== "goal";

/** Write a command as markdown: as inline code, or in a fence if it has several lines. */
export function writeCommand(command: string): string {
  const longest = Math.max(0, ...(command.match(/`+/g) ?? []).map((marks) => marks.length));
  if (command.includes("\n")) {
    const fence = "`".repeat(Math.max(3, longest + 1));
    return `${fence}sh\n${command}\n${fence}`;
  }
  const marks = "`".repeat(longest + 1);
  return longest === 0 ? `\`${command}\`` : `${marks} ${command} ${marks}`;
}
