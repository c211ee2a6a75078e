/** Families of languages by their syntax of comments and strings. */
export type Writing = "slashes" | "go" | "rust" | "hashes";

const lexemes: Readonly<Record<Writing, RegExp>> = {
  // The expected output of an example is not a comment.
  go: /\/\/ ?(?:[Uu]nordered )?[Oo]utput:[^\n]*(?:\n[ \t]*\/\/[^\n]*)*|\/\/(?!go:build| \+build)[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|`[^`]*`?/g,
  // A regular expression begins where `/` cannot be a division.
  slashes:
    /(?<=(?:[(,=:[!&|?{};]|\breturn)\s{0,9})\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/|\/\/(?! @(?:vitest|jest)-)[^\n]*|\/\*(?!\*?\s{0,9}(?:\*\s)?@(?:vitest|jest)-)(?:[^*]|\*(?!\/))*(?:\*\/)?|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|`(?:[^`\\]|\\[\s\S])*`?/g,
  // Match only quoted single characters: a single quote usually starts a lifetime.
  rust: /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\\n]|\\.)'/g,
  hashes:
    /(?<![^\s;])(?!^#!)#[^\n]*|"""(?:[^"]|"(?!""))*(?:""")?|'''(?:[^']|'(?!''))*(?:''')?|"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?/g,
};

const slashed =
  /\.(?:[cm]?[jt]sx?|jsonc?|json5|java|kts?|cs|scala|groovy|gradle|php|swift|vue|svelte|(?:babel|eslint|mocha|nyc|prettier)rc)$/;

export function writingOf(path: string): Writing {
  if (path.endsWith(".rs")) return "rust";
  if (path.endsWith(".go")) return "go";
  return slashed.test(path) ? "slashes" : "hashes";
}

export interface Line {
  /** The line without comments. */
  readonly bare: string;
  /** The line without comments and string contents. */
  readonly code: string;
}

const isComment = (lexeme: string): boolean => /^(?:\/[/*]|#)/.test(lexeme) && !isOutput(lexeme);
const isOutput = (lexeme: string): boolean => /^\/\/ ?(?:[Uu]nordered )?[Oo]utput:/.test(lexeme);
const blank = (text: string): string => text.replace(/[^\n]/g, " ");
const emptied = (text: string): string => `${text[0]}${blank(text.slice(1, -1))}${text.slice(1).slice(-1)}`;

/**
 * Lines of a text without comments.
 *
 * @param breaks Matches characters of code that also end a line: several checks may share a line.
 */
export function linesOf(text: string, writing: Writing, breaks?: RegExp): readonly Line[] {
  const lexeme = lexemes[writing];
  const bare = text.replace(lexeme, (found) => (isComment(found) ? blank(found) : found));
  const code = text.replace(lexeme, (found) => (isComment(found) || isOutput(found) ? blank(found) : emptied(found)));
  const ends = [...code.matchAll(/\n/g)].map(({ index }) => index);
  const broken = breaks === undefined ? [] : [...code.matchAll(breaks)].map(({ index }) => index);
  const places = [...new Set([...ends, ...broken, code.length])].toSorted((one, other) => one - other);
  return places.map((end, at) => {
    const start = at === 0 ? 0 : (places[at - 1] as number) + 1;
    // The character of a break belongs to the line before it; a line ending belongs to no line.
    return { bare: bare.slice(start, end + 1).trimEnd(), code: code.slice(start, end + 1).trimEnd() };
  });
}

const spaced = /"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|`(?:[^`\\]|\\[\s\S])*`?|[\s;]+/g;

/** Normalize a text for comparison: no insignificant white space, no `;`, one kind of quotes. */
export const squeeze = (bare: string): string =>
  bare
    .replace(spaced, (found, at: number) => {
      if (/^["'`]/.test(found)) return found.replace(/^['`]|['`]$/g, '"');
      // A line break after `return` ends the statement.
      if (found.includes("\n") && /\breturn$/.test(bare.slice(0, at))) return ";";
      return /\w/.test(bare[at - 1] ?? "") && /\w/.test(bare[at + found.length] ?? "") ? " " : "";
    })
    .replace(/,(?=[)\]}])/g, (comma, at: number, text: string) => (isOneTuple(text, at) ? comma : ""))
    .replace(/\((\w+)\)=>/g, "$1=>");

/** Whether a comma before a `)` makes a tuple of one value. */
function isOneTuple(text: string, comma: number): boolean {
  if (text[comma + 1] !== ")") return false;
  let depth = 0;
  for (let at = comma - 1; at >= 0; at -= 1) {
    const sign = text[at] as string;
    if (depth === 0 && sign === ",") return false;
    if (depth === 0 && sign === "(") return !/[\w)\]!]$/.test(text.slice(0, at)) || valued.test(text.slice(0, at));
    depth += ")]}".includes(sign) ? 1 : "([{".includes(sign) ? -1 : 0;
  }
  return false;
}

/** Matches a word before a value in parentheses, unlike a function name before arguments. */
const valued = /(?<!\w)(?:assert|return|yield|in|is|and|or|not|if|elif|else)$/;

/** Remove redundant parentheses around the condition of a squeezed `assert`. */
export function withoutParentheses(line: string): string {
  if (!line.startsWith("assert(")) return line;
  let depth = 0;
  for (let at = "assert".length; at < line.length; at += 1) {
    const sign = line[at] as string;
    if (depth === 1 && sign === ",") return line;
    depth += ")]}".includes(sign) ? -1 : "([{".includes(sign) ? 1 : 0;
    if (depth > 0) continue;
    const rest = line.slice(at + 1);
    return rest === "" || rest.startsWith(",") ? squeeze(`assert ${line.slice("assert(".length, at)}${rest}`) : line;
  }
  return line;
}

/** Normalize a whole file for comparison, without comments and blank lines. */
export function squeezeFile(path: string, text: string): string {
  const lines = linesOf(text, writingOf(path)).map(({ bare }) => bare);
  if (writingOf(path) !== "hashes") return squeeze(lines.join("\n"));
  return lines.filter((line) => line !== "").join("\n");
}

export const indentOf = (line: string): number => line.length - line.trimStart().length;
