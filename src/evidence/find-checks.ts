import { type Language, languageOf } from "./languages.ts";
import { indentOf, type Line, linesOf, squeeze, withoutParentheses } from "./source-text.ts";

export interface Check {
  /** Full name, with its groups: `add > adds`. */
  readonly name: string;
  /** Name without groups. */
  readonly leaf: string;
  /** Text for comparisons, without comments and insignificant white space. */
  readonly body: string;
  /** Whether the check runs: it is neither skipped nor excluded by an `only` mark of another check. */
  readonly runs: boolean;
  /** Number of enclosing blocks other than groups, such as `if (false) {`. */
  readonly depth: number;
}

export interface Checks {
  readonly checks: readonly Check[];
  /** Lines outside of checks and group headers, without comments: imports, helpers, hooks. */
  readonly rest: readonly string[];
  /** The group of each line of `rest`; empty outside of groups. */
  readonly groups: readonly string[];
}

export function findChecks(path: string, text: string): Checks | null {
  const language = languageOf(path);
  if (language === null) return null;
  const lines = linesOf(text, language.writing, language.breaks);
  const { found, rest, groups } = walk(lines, language);
  const isOff = language.offAll !== null && rest.some((line) => language.offAll?.test(line));
  const hasOnly = found.some(({ only }) => only);
  // A later function of the same name replaces the first.
  const kept = language.lastCounts ? [...new Map(found.map((each) => [each.name, each])).values()] : found;
  const checks = kept.map(({ skipped, only, ...check }) => ({
    ...check,
    runs: !isOff && !skipped && (only || !hasOnly),
  }));
  return { checks, rest, groups };
}

interface Marks {
  readonly skipped: boolean;
  readonly only: boolean;
}
type Found = Omit<Check, "runs"> & Marks;
interface Group extends Marks {
  readonly name: string;
  readonly end: number;
  readonly indent: number;
}

const pathOf = (groups: readonly Group[]): string => groups.map(({ name }) => name).join(" > ");

interface Walked extends Omit<Checks, "checks"> {
  readonly found: readonly Found[];
}

function walk(lines: readonly Line[], language: Language): Walked {
  const found: Found[] = [];
  const rest: string[] = [];
  const places: string[] = [];
  let groups: readonly Group[] = [];
  // Attributes and decorators belong to the code that follows.
  let marks: readonly Line[] = [];
  let blocks = 0;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as Line;
    const isClosing = groups.some(({ end }) => end === at + 1);
    groups = groups.filter(({ end }) => end > at);
    if (language.mark?.test(line.code) && !isHead(language, [line])) {
      const end = endOfBraces(lines, at, false);
      marks = [...marks, ...lines.slice(at, end)];
      at = end;
      continue;
    }
    const group = language.group.exec(line.code);
    const end = endOf(lines, at, language);
    if (group !== null) {
      const head = [...marks, line];
      const name = nameIn(language, [line], group[1]);
      groups = [...groups, { ...marksOf(language, head, groups), name, end, indent: indentOf(line.bare) }];
      marks = [];
      at += 1;
    } else if (isHead(language, [...marks, line])) {
      const own = lines.slice(at, end);
      const whole = [...marks, ...own];
      const leaf = nameIn(language, own, language.head.exec(line.code)?.[1]);
      const name = [pathOf(groups), leaf].filter(Boolean).join(" > ");
      const outer = groups[0]?.indent ?? indentOf(line.bare);
      const depth = language.blocks === "indent" ? Math.sign(outer) : blocks;
      found.push({ name, leaf, body: bodyOf(whole, language), depth, ...marksOf(language, whole, groups) });
      marks = [];
      at = end;
    } else {
      const others = [...marks, line].filter(({ bare }) => bare !== "");
      if (!isClosing) {
        rest.push(...others.map(({ bare }) => bare));
        places.push(...others.map(() => pathOf(groups)));
        blocks += balance(line.code);
      }
      marks = [];
      at += 1;
    }
  }
  return {
    found,
    rest: [...rest, ...marks.map(({ bare }) => bare)],
    groups: [...places, ...marks.map(() => pathOf(groups))],
  };
}

const isHead = ({ head, needs }: Language, lines: readonly Line[]): boolean =>
  head.test((lines.at(-1) as Line).code) && (needs === null || lines.some(({ code }) => needs.test(code)));

function marksOf({ skip, only }: Language, lines: readonly Line[], groups: readonly Group[]): Marks {
  const code = lines.map((line) => line.code).join("\n");
  return {
    skipped: skip.test(code) || groups.some((group) => group.skipped),
    only: only?.test(code) === true || groups.some((group) => group.only),
  };
}

const strings = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?/g;
/** Matches code after the name of a check, but not after a string in a table of test data. */
const behindName = /^\s*,\s*(?:async\b|function\b|\(|\{|\w+\s*=>|\w+\)|$)/;

function nameIn({ isNamedByString }: Language, lines: readonly Line[], word: string | undefined): string {
  const text = lines.map(({ bare }) => bare.trim()).join(" ");
  if (word !== undefined) return word;
  if (!isNamedByString) return lastWord(text.replace(/^(?:@\w+(?:\([^()]*\))?\s+)+/, "").split("(")[0] as string);
  const found = [...text.matchAll(strings)];
  const name = found.find(({ index, 0: whole }) => behindName.test(text.slice(index + whole.length))) ?? found[0];
  return name?.[0].slice(1, -1) ?? text;
}

/** The last word, or a Kotlin name in backquotes, which may contain blanks. */
const lastWord = (text: string): string =>
  text
    .trim()
    .split(text.trim().endsWith("`") ? "`" : /\W+/)
    .filter(Boolean)
    .at(-1) ?? "";

/** Matches a quoted key that needs no quotes. */
const quotedKey = /(?<=[{,])"([A-Za-z_$][\w$]*)":/g;

function bodyOf(lines: readonly Line[], { blocks }: Language): string {
  if (blocks === "braces") {
    return squeeze(lines.map(({ bare }) => bare).join("\n")).replace(quotedKey, "$1:");
  }
  const written = logicalLines(lines.filter(({ bare }) => bare !== ""));
  const outer = indentOf(written[0] as string);
  return written
    .map((line) => `${indentOf(line) - outer} ${withoutTypes(withoutParentheses(squeeze(line)))}`)
    .join("\n");
}

/** Join each line that ends inside brackets with the lines that follow, up to the closing bracket. */
function logicalLines(lines: readonly Line[]): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  for (const { bare, code } of lines) {
    if (depth > 0) found[found.length - 1] += ` ${bare.trim()}`;
    else found.push(bare);
    depth = Math.max(0, depth + balance(code));
  }
  return found;
}

/** Remove the types of parameters and result from the head of a Python function. */
const withoutTypes = (line: string): string =>
  /^(?:async )?def \w+\(/.test(line)
    ? line
        .replace(/\)->[^()]{1,80}:$/, "):")
        .replace(/(?<=[(,]\*{0,2}\w{1,80}):(?:[^,=()[\]]|\[[^[\]]{0,80}\]){1,120}(?=[,)=])/g, "")
    : line;

const balance = (code: string): number =>
  [...code.matchAll(/[(){}[\]]/g)].reduce((sum, [sign]) => sum + ("([{".includes(sign) ? 1 : -1), 0);

const endOf = (lines: readonly Line[], from: number, { blocks, needsBrace }: Language): number =>
  blocks === "braces" ? endOfBraces(lines, from, needsBrace) : endOfIndent(lines, from);

function endOfBraces(lines: readonly Line[], from: number, needsBrace: boolean): number {
  let depth = 0;
  let isOpened = !needsBrace;
  for (let at = from; at < lines.length; at += 1) {
    const { code } = lines[at] as Line;
    depth += balance(code);
    isOpened ||= code.includes("{") || code.endsWith(";");
    if (depth <= 0 && isOpened) return at + 1;
  }
  return lines.length;
}

function endOfIndent(lines: readonly Line[], from: number): number {
  const outer = indentOf((lines[from] as Line).bare);
  for (let at = from + 1; at < lines.length; at += 1) {
    const { code } = lines[at] as Line;
    if (code.trim() === "" || indentOf(code) > outer || /^\s*[)\]}]/.test(code)) continue;
    return /^\s*end\b/.test(code) ? at + 1 : at;
  }
  return lines.length;
}
