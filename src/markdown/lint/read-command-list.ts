export interface SimpleCommand {
  /** As written, without leading assignments and without redirections. */
  readonly words: readonly string[];
  /** Files of the command's redirections, as written; opening one of them may fail. */
  readonly files: readonly string[];
}

/** One or more commands joined by `|`. */
export interface Pipeline {
  /** Operator before the pipeline; null for the first pipeline of a statement. */
  readonly operator: "&&" | "||" | null;
  readonly isNegated: boolean;
  readonly commands: readonly SimpleCommand[];
}

/** One or more pipelines joined by `&&` and `||`. */
export type Statement = readonly Pipeline[];

const assignment = /^[A-Za-z_]\w*=/;
const reserved = new Set(
  "if then else elif fi for while until do done case esac in function select time coproc { } [[ !".split(" "),
);

/**
 * Parse a shell script that is a plain list of commands.
 *
 * @returns Null for a script with loops, functions, here-documents, background jobs or bad quoting. A group in
 * parentheses is one word, which is not parsed.
 */
export function readCommandList(script: string): readonly Statement[] | null {
  const tokens = tokenizeScript(script);
  if (tokens === null) return null;
  const statements: Statement[] = [];
  const parts = splitAt(tokens, [";"]);
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

export type Token =
  | { readonly kind: "word"; readonly text: string }
  | { readonly kind: "operator"; readonly text: "|" | "&&" | "||" | ";" }
  /** A redirection that can fail; `file` is as written. */
  | { readonly kind: "redirection"; readonly file: string };

const harmless = /(?:\d|&)?>>?[ \t]*\/dev\/null(?![\w./-])|\d?>&[12](?!\w)/y;
const redirection = /\d?(?:>>|>\||[<>]&|<>|&>|[<>])(?![<>(])/y;
const gap = /(?:[ \t]|\\\r?\n)+/y;
const comment = /#[^\n]*/y;
const operator = /&&|\|\|(?!\|)|\|(?![&|])|;(?!;)|\r?\n/y;
const plain = /[^\s'"`$\\|&;<>(){}#]+|\{\}|[{}#]/y;
const variable = /\$(?:\w+|[?$!#@*-]|\{[^{}'"`$\\]*\}|(?=[\s"|&;]|$))/y;

/** Split a shell script into words and operators; null for constructs such as here-documents. */
export function tokenizeScript(script: string): readonly Token[] | null {
  const tokens: Token[] = [];
  let at = 0;
  while (at < script.length) {
    const next = endOf(gap, script, at) ?? endOf(comment, script, at);
    if (next !== null) {
      at = next;
      continue;
    }
    const end = addToken(tokens, script, at);
    if (end === null) return null;
    at = end;
  }
  return tokens;
}

function addToken(tokens: Token[], script: string, at: number): number | null {
  const quiet = endOf(harmless, script, at);
  if (quiet !== null) return quiet;
  const between = endOf(operator, script, at);
  if (between !== null) {
    const text = script.slice(at, between).trim() as "|" | "&&" | "||" | ";" | "";
    const last = tokens.at(-1);
    // A line ending separates commands, except after an operator or another line ending.
    if (text !== "") tokens.push({ kind: "operator", text });
    else if (last !== undefined && last.kind !== "operator") tokens.push({ kind: "operator", text: ";" });
    return between;
  }
  const redirected = endOf(redirection, script, at);
  const start = redirected === null ? at : (endOf(gap, script, redirected) ?? redirected);
  const end = endOfWord(script, start);
  if (end === null || end === start) return null;
  const text = script.slice(start, end);
  tokens.push(redirected === null ? { kind: "word", text } : { kind: "redirection", file: text });
  return end;
}

/** End of a word; null if a quote or a parenthesis in it is not closed. */
function endOfWord(script: string, from: number): number | null {
  // A group of commands is a single word, while `name(` begins a function.
  if (script[from] === "(") return endOfGroup(script, from + 1, ")");
  for (let at = from; ; ) {
    const next = endOfPiece(script, at);
    if (next === null) return null;
    if (next === at) return script[at] === "(" ? null : at;
    at = next;
  }
}

function endOfPiece(script: string, at: number): number | null {
  const unquoted = endOf(plain, script, at) ?? endOf(variable, script, at);
  if (unquoted !== null) return unquoted;
  const character = script[at];
  if (character === "\\") return script[at + 1] === undefined ? null : at + 2;
  if (character === "'" || character === "`") return behind(script, character, at + 1);
  if (character === '"') return endOfGroup(script, at + 1, '"');
  if (character === "$") return script[at + 1] === "(" ? endOfGroup(script, at + 2, ")") : null;
  return at;
}

/** Position after the end of a quote or a parenthesis, including nested ones. */
function endOfGroup(script: string, from: number, closer: ")" | '"'): number | null {
  const open: (")" | '"')[] = [closer];
  let at: number | null = from;
  while (at !== null && at < script.length) {
    const character = script[at];
    const isQuoted: boolean = open.at(-1) === '"';
    if (character === open.at(-1)) {
      open.pop();
      at += 1;
      if (open.length === 0) return at;
    } else if (character === "\\") at += 2;
    else if (character === "`") at = behind(script, character, at + 1);
    else if (character === "$" && script[at + 1] === "(") {
      open.push(")");
      at += 2;
    } else if (isQuoted) at += 1;
    else if (character === "'") at = behind(script, character, at + 1);
    else if (character === '"' || character === "(") {
      open.push(character === "(" ? ")" : character);
      at += 1;
    } else if (isUnclear(script, at)) return null;
    else at += 1;
  }
  return null;
}

/**
 * Whether a parenthesis or a quote may have another meaning here: in a comment, a `case` pattern or a here-document.
 */
const isUnclear = (script: string, at: number): boolean =>
  script[at] === "#" || script.startsWith("<<", at) || script.startsWith("case", at);

function behind(script: string, quote: string, from: number): number | null {
  const end = script.indexOf(quote, from);
  return end === -1 ? null : end + 1;
}

function endOf(pattern: RegExp, script: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(script) ? pattern.lastIndex : null;
}
