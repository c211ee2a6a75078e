import { Lexer } from "yaml";

const maxDepth = 100;

/**
 * Whether a YAML text may be nested too deep. To read such a text would use up the stack, where the program can end
 * without an error that could be caught.
 */
export function isTooDeep(text: string): boolean {
  let brackets = 0;
  let columns = 0;
  let isLineStart = true;
  for (const token of new Lexer().lex(text)) {
    if (token === "[" || token === "{") brackets += 1;
    else if (token === "]" || token === "}") brackets = Math.max(0, brackets - 1);
    else if (token.endsWith("\n")) columns = 0;
    // Each level of a block is one column further in, or behind one more indicator.
    else if (isLineStart && token.startsWith(" ")) columns = token.length;
    else if (brackets === 0 && indicators.has(token)) columns += 1;
    if (brackets + columns > maxDepth) return true;
    isLineStart = token.endsWith("\n");
  }
  return false;
}

const indicators = new Set(["-", "?", ":"]);
