import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq,
} from "yaml";
import { plainLine } from "../../markdown/text/plain-line.ts";
import { InputError } from "../../model/errors.ts";

/** The map under `failure_recovery` of a YAML text; empty if missing. */
export interface RecoveryMap {
  /** A whole number of at least `least`; null if not given. */
  count(key: string, least: number): number | null;
  text(key: string): string | null;
  list(key: string): readonly string[];
  /** The text with new values at these keys. Everything else stays, comments included. */
  replace(values: Readonly<Record<string, YamlValue>>): string;
}

const name = "failure_recovery";

/** @throws {InputError} `yaml-malformed`, also when a value of another type is read */
export function recoveryMap(yaml: string): RecoveryMap {
  const open = openYaml(yaml);
  const { document, malformed } = open;
  const targetOf = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node);
  const map = mapIn(open, targetOf);
  const valueAt = <Value>(key: string, expected: string, read: (node: unknown) => Value | null): Value | null => {
    const node = targetOf(map?.get(key, true));
    if (isNothing(node)) return null;
    const value = read(node);
    if (value === null) throw malformed(node, `${name}.${key}`, expected);
    return value;
  };
  return {
    count: (key, least) =>
      valueAt(key, `a whole number of at least ${least}`, (node) => {
        const value = isScalar(node) ? node.value : null;
        return typeof value === "number" && Number.isSafeInteger(value) && value >= least ? value : null;
      }),
    text: (key) => valueAt(key, "a text", textOf),
    list: (key) =>
      valueAt(key, "a list of texts", (node) => {
        const texts = isSeq(node) ? node.items.map((item) => textOf(targetOf(item))) : [null];
        return texts.every((text) => text !== null) ? texts : null;
      }) ?? [],
    replace(values) {
      const own = ownMap(open);
      for (const [key, value] of Object.entries(values)) putValue(own, key, value);
      const text = document.toString({ lineWidth: 0 });
      return yaml.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
    },
  };
}

const isNothing = (node: unknown): boolean =>
  node === undefined || node === null || (isScalar(node) && node.value === null);

/** A text, or a number as it is written: a hash may look like a number. */
function textOf(node: unknown): string | null {
  if (!isScalar(node)) return null;
  if (typeof node.value === "string") return node.value;
  return typeof node.value === "number" ? (node.source ?? String(node.value)) : null;
}

function mapIn({ document, malformed }: OpenYaml, targetOf: (node: unknown) => unknown): YAMLMap | null {
  const { contents } = document;
  if (isNothing(contents)) return null;
  if (!isMap(contents)) throw malformed(contents, "the document", "a map of keys and values");
  const found = targetOf(contents.get(name, true));
  if (isNothing(found)) return null;
  if (!isMap(found)) throw malformed(found, name, "a map of keys and values");
  return found;
}

/** The map to write to. No alias may share the map, since other places would change as well. */
function ownMap({ document, malformed }: OpenYaml): YAMLMap {
  const contents = isMap(document.contents) ? document.contents : inPlaceOf(document.contents, new YAMLMap());
  document.contents = contents;
  const found = contents.get(name, true);
  visit(isNode(found) ? found : null, (_, node) => {
    if (!isAlias(node) && !(isNode(node) && "anchor" in node && node.anchor !== undefined)) return;
    throw malformed(node, name, "no anchors or aliases in the part to write");
  });
  return mapAt(contents, name);
}

// Import this file only when it is needed, never from start-up code: loading `yaml` takes 38 ms.

interface OpenYaml {
  readonly document: Document;
  malformed(node: unknown, what: string, expected: string): InputError;
}

const maxLength = 32 * 1024;
const maxAliasCount = 100;
const maxReason = 200;

/**
 * Parse a text of one YAML document, which may be empty. The text is untrusted, so its length and the expansion of
 * aliases are limited.
 *
 * @throws {InputError} `yaml-malformed`
 */
export function openYaml(text: string): OpenYaml {
  if (text.length > maxLength) throw malformedAt(null, `Cannot read YAML, expected at most ${maxLength} characters`);
  if (isTooDeep(text)) throw malformedAt(null, "Cannot read YAML, expected less nesting");
  const lineCounter = new LineCounter();
  // With "silent", further documents would be ignored, and lost when this document is written.
  const document = parseDocument(text, { lineCounter, logLevel: "error" });
  const [error] = document.errors;
  if (error !== undefined) throw malformedAt(error.linePos?.[0].line ?? null, `Cannot read YAML: ${reasonOf(error)}`);
  try {
    document.toJS({ maxAliasCount, mapAsMap: true });
  } catch (cause) {
    throw malformedAt(null, `Cannot read YAML: ${reasonOf(cause)}`);
  }
  return {
    document,
    malformed: (node, what, expected) => {
      const range = isNode(node) ? node.range : null;
      const line = range === undefined || range === null ? null : lineCounter.linePos(range[0]).line;
      return malformedAt(line, `Cannot use \`${what}\`, expected ${expected}`);
    },
  };
}

function reasonOf(cause: unknown): string {
  const [first = ""] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
  return plainLine(first.replace(/ at line \d+, column \d+:$/, ""), maxReason);
}

const malformedAt = (line: number | null, message: string): InputError =>
  new InputError(line === null ? message : `${message} (line ${line})`, {
    code: "yaml-malformed",
    hint: "Fix it by hand: fixpoint does not write to it in this state",
  });

const maxDepth = 100;

/**
 * Whether a YAML text may be nested too deep. Parsing such a text would exhaust the stack, which can end the program
 * without a catchable error.
 */
export function isTooDeep(text: string): boolean {
  let brackets = 0;
  let columns = 0;
  let isLineStart = true;
  for (const token of new Lexer().lex(text)) {
    if (token === "[" || token === "{") brackets += 1;
    else if (token === "]" || token === "}") brackets = Math.max(0, brackets - 1);
    else if (token.endsWith("\n")) columns = 0;
    // Count columns and indicators: each level of a block is indented by at least one column, or follows one more
    // indicator.
    else if (isLineStart && token.startsWith(" ")) columns = token.length;
    else if (brackets === 0 && indicators.has(token)) columns += 1;
    if (brackets + columns > maxDepth) return true;
    isLineStart = token.endsWith("\n");
  }
  return false;
}

const indicators = new Set(["-", "?", ":"]);

type YamlValue = number | string | readonly string[];

/** Set the value of a key; comments around and inside the old value stay. */
function putValue(map: YAMLMap, key: string, value: YamlValue): void {
  const before = map.get(key, true);
  if (typeof value === "object") refill(isSeq(before) ? before : putInPlace(map, key, new YAMLSeq()), value);
  else if (!isScalar(before) || before.value !== value) putInPlace(map, key, scalarOf(value));
}

function mapAt(map: YAMLMap, key: string): YAMLMap {
  const before = map.get(key, true);
  return isMap(before) ? before : putInPlace(map, key, new YAMLMap());
}

/** Give a node the comments of the node that it replaces. */
function inPlaceOf<Made extends Node>(before: unknown, made: Made): Made {
  if (!isNode(before)) return made;
  made.commentBefore = before.commentBefore ?? null;
  made.comment = before.comment ?? null;
  if (before.spaceBefore !== undefined) made.spaceBefore = before.spaceBefore;
  return made;
}

function putInPlace<Made extends Node>(map: YAMLMap, key: string, made: Made): Made {
  map.set(key, inPlaceOf(map.get(key, true), made));
  return made;
}

/** A scalar node. A text of several lines is quoted: without quotes it can mean something else inside brackets. */
function scalarOf(value: number | string): Scalar {
  const scalar = new Scalar(value);
  if (typeof value === "string" && value.includes("\n")) scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

/** Replace the texts of a list. Texts that stay keep their comments; other comments go to the end. */
function refill(list: YAMLSeq, texts: readonly string[]): void {
  const left = list.items.filter(isScalar);
  const items = texts.map((text) => {
    const at = left.findIndex(({ value }) => value === text);
    return at === -1 ? scalarOf(text) : (left.splice(at, 1)[0] as Scalar);
  });
  // An empty list has the style `[]`, which must not remain when the list gets items.
  if (list.items.length === 0 || items.length === 0) list.flow = items.length === 0;
  list.items = items;
  const homeless = left.flatMap(({ commentBefore, comment }) => [commentBefore, comment]);
  const comments = [...homeless, list.comment].filter((comment) => typeof comment === "string");
  if (comments.length > 0) list.comment = comments.join("\n");
}
