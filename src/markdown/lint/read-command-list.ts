import { type Token, tokenizeScript } from "./tokenize-script.ts";

/** One program call as it stands in a shell script. */
export interface SimpleCommand {
  /** As they are written, without assignments before the first and redirections. */
  readonly words: readonly string[];
  /** Files of its redirections, as they are written: each may be missing or refuse. */
  readonly files: readonly string[];
}

/** Commands joined by `|`, one at least. */
export interface Pipeline {
  /** What joins it to the pipeline before it; null for the first of a statement. */
  readonly operator: "&&" | "||" | null;
  readonly isNegated: boolean;
  readonly commands: readonly SimpleCommand[];
}

/** Pipelines joined by `&&` and `||`, one at least. */
export type Statement = readonly Pipeline[];

const assignment = /^[A-Za-z_]\w*=/;
const reserved = new Set(
  "if then else elif fi for while until do done case esac in function select time coproc { } [[ !".split(" "),
);

/**
 * Read a shell script that is a plain list of commands.
 *
 * @returns
 *   Null for all that is more or less than that: loops, functions, here-documents, background jobs, bad quoting. What
 *   stands in parentheses is a word that is not looked into.
 */
export function readCommandList(script: string): readonly Statement[] | null {
  const tokens = tokenizeScript(script);
  if (tokens === null) return null;
  const statements: Statement[] = [];
  const parts = splitAt(tokens, [";"]);
  // Nothing has to stand behind the last one.
  if (parts.at(-1)?.tokens.length === 0) parts.pop();
  for (const { tokens: part } of parts) {
    const pipelines = splitAt(part, ["&&", "||"]).map(({ operator, tokens: piped }) => readPipeline(operator, piped));
    const statement = pipelines.filter((pipeline) => pipeline !== null);
    if (statement.length < pipelines.length) return null;
    statements.push(statement);
  }
  return statements;
}

interface Part {
  /** Before it. */
  readonly operator: string | null;
  readonly tokens: readonly Token[];
}

function splitAt(tokens: readonly Token[], operators: readonly string[]): Part[] {
  let current: Token[] = [];
  const parts: Part[] = [{ operator: null, tokens: current }];
  for (const token of tokens) {
    if (token.kind === "operator" && operators.includes(token.text)) {
      current = [];
      parts.push({ operator: token.text, tokens: current });
    } else current.push(token);
  }
  return parts;
}

function readPipeline(operator: string | null, tokens: readonly Token[]): Pipeline | null {
  const [first] = tokens;
  const isNegated = first?.kind === "word" && first.text === "!";
  const parts = splitAt(isNegated ? tokens.slice(1) : tokens, ["|"]);
  const commands = parts.map((part) => readSimple(part.tokens)).filter((command) => command !== null);
  if (commands.length < parts.length) return null;
  return { operator: operator === "&&" || operator === "||" ? operator : null, isNegated, commands };
}

function readSimple(tokens: readonly Token[]): SimpleCommand | null {
  const written = tokens.flatMap((token) => (token.kind === "word" ? [token.text] : []));
  const start = written.findIndex((word) => !assignment.test(word));
  const words = start === -1 ? [] : written.slice(start);
  if (tokens.length === 0 || reserved.has(words[0] ?? "")) return null;
  return { words, files: tokens.flatMap((token) => (token.kind === "redirection" ? [token.file] : [])) };
}
