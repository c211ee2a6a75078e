import type { Code, Paragraph, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { splitLines, trimBlank } from "./line-ending.ts";

/** What the Verify field of a task says to run. */
export type Verify =
  | {
      readonly kind: "command";
      /** For `sh -c`. */
      readonly command: string;
      /** The word it begins with, to be checked to be a command since it may be prose; null in code. */
      readonly word: string | null;
    }
  | { readonly kind: "unrunnable"; readonly reason: string };

const shells = new Set(["", "sh", "bash", "shell", "zsh"]);
const closingFence = /^ *(?:`{3,}|~{3,})[ \t]*$/;
// A dot behind a word ends a sentence; behind a blank, a dot or a slash it is a path.
const finalDot = /(?<=[\w)"'])\.$/;
const beforeWord = /^(?:[!({][ \t]+|\([ \t]*|[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|[^\s"']*)[ \t]+)+/;

/**
 * Read what can be run from a Verify field.
 *
 * Runnable is a value that is, but for a final dot, one code span, one fence, code spans joined by `&&`, or one bare
 * line.
 *
 * @param value
 *   The source behind the label, as `Task.fields` gives it; undefined when the task has none.
 */
export function readVerify(value: string | undefined): Verify {
  const source = trimBlank(value ?? "");
  if (source === "") return unrunnable("it is empty");
  if (!/[`~]{3}|`/.test(source)) return readBare(source);
  const [block, ...others] = fromMarkdown(dedent(source)).children;
  if (block?.type === "code") return others.every(isDot) ? readFence(source, block) : unrunnable(mixed);
  return block?.type === "paragraph" && others.length === 0 ? readSpans(block) : unrunnable(mixed);
}

const mixed = "other text stands beside its code";
const unrunnable = (reason: string): Verify => ({ kind: "unrunnable", reason });
const command = (text: string, word: string | null): Verify =>
  text.trim() === "" ? unrunnable("its code is empty") : { kind: "command", command: text, word };

function readBare(source: string): Verify {
  if (splitLines(source).length > 1) return unrunnable("it has several lines that are not code");
  const line = source.replace(finalDot, "");
  const word = /^\S+/.exec(line.replace(beforeWord, ""))?.[0] ?? line;
  return command(line, word);
}

function readFence(source: string, { lang, value }: Code): Verify {
  const lines = splitLines(source);
  if (lines.length < 2 || !lines.some((line, index) => index > 0 && closingFence.test(line))) {
    return unrunnable("its fence is not closed");
  }
  if (!shells.has((lang ?? "").toLowerCase())) return unrunnable(`its fence holds ${lang}, not shell commands`);
  return command(value, null);
}

function readSpans({ children }: Paragraph): Verify {
  const nodes = children.map((node) => {
    if (node.type === "inlineCode") return { code: node.value };
    return { text: node.type === "text" ? node.value.trim() : null };
  });
  const last = nodes.at(-1);
  if (nodes.length > 1 && last?.text === ".") nodes.pop();
  const alternate = nodes.every(({ code, text }, index) => (index % 2 === 0 ? code !== undefined : text === "&&"));
  if (!alternate || nodes.length % 2 === 0) return unrunnable(mixed);
  const codes = nodes.flatMap(({ code }) => code ?? []);
  return codes.some((code) => code.trim() === "") ? unrunnable("its code is empty") : command(codes.join(" && "), null);
}

const isDot = (node: RootContent): boolean =>
  node.type === "paragraph" &&
  node.children.length === 1 &&
  node.children[0]?.type === "text" &&
  node.children[0].value === ".";

/** The lines of a field without the indentation they share for standing in a list. */
function dedent(source: string): string {
  const [first = "", ...rest] = splitLines(source);
  const indents = rest.filter((line) => trimBlank(line) !== "").map((line) => line.search(/[^ ]|$/));
  const shared = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return [first, ...rest.map((line) => line.slice(shared))].join("\n");
}
