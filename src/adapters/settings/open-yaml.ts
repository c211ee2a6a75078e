import { type Document, isNode, Lexer, LineCounter, parseDocument } from "yaml";
import { plainLine } from "../../markdown/text/plain-line.ts";
import { InputError } from "../../model/errors.ts";

// Loading `yaml` takes 38 ms, so nothing that a program loads at its start imports this file.

/** A YAML document that can be read and changed, and the error for what is wrong in it. */
export interface OpenYaml {
  readonly document: Document;
  /** The error for a node of the wrong kind. */
  malformed(node: unknown, what: string, expected: string): InputError;
}

const maxLength = 32 * 1024;
const maxAliasCount = 100;
const maxReason = 200;

/**
 * Read a text of one YAML document, which may be empty. The text is untrusted, so its length is limited, and so is what
 * aliases expand to.
 *
 * @throws {InputError} `yaml-malformed`
 */
export function openYaml(text: string): OpenYaml {
  if (text.length > maxLength) throw malformedAt(null, `Cannot read YAML, expected at most ${maxLength} characters`);
  if (isTooDeep(text)) throw malformedAt(null, "Cannot read YAML, expected less depth");
  const lineCounter = new LineCounter();
  // With "silent" further documents would be ignored, and lost when this one is written.
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

/** The message without the lines of the text that follow it. */
function reasonOf(cause: unknown): string {
  const [first = ""] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
  return plainLine(first.replace(/ at line \d+, column \d+:$/, ""), maxReason);
}

const malformedAt = (line: number | null, message: string): InputError =>
  new InputError(line === null ? message : `${message} (line ${line})`, {
    code: "yaml-malformed",
    hint: "Mend it by hand: as it is nothing is written to it",
  });

const maxDepth = 100;

/**
 * Whether a YAML text may be nested too deep. Reading such a text would exhaust the stack, which can end the program
 * without an error that can be caught.
 */
export function isTooDeep(text: string): boolean {
  let brackets = 0;
  let columns = 0;
  let isLineStart = true;
  for (const token of new Lexer().lex(text)) {
    if (token === "[" || token === "{") brackets += 1;
    else if (token === "]" || token === "}") brackets = Math.max(0, brackets - 1);
    else if (token.endsWith("\n")) columns = 0;
    // Each level of a block is indented by at least one column, or follows one more indicator.
    else if (isLineStart && token.startsWith(" ")) columns = token.length;
    else if (brackets === 0 && indicators.has(token)) columns += 1;
    if (brackets + columns > maxDepth) return true;
    isLineStart = token.endsWith("\n");
  }
  return false;
}

const indicators = new Set(["-", "?", ":"]);
