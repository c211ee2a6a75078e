const space = /[ \t\r\n]*/y;
const scalar =
  /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Expected = "value" | "first value" | "key" | "first key" | "colon" | "separator";

/**
 * Offset of the first token that is not JSON; null when all of it is. JSON.parse tells an offset for some errors
 * only, and in other words on each version of Node.
 */
export function findJsonError(text: string): number | null {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  let at = 0;
  for (;;) {
    at = endOf(space, text, at) ?? at;
    const character = text[at];
    const inside: "{" | "[" | undefined = open.at(-1);
    if (expected === "separator" && inside === undefined) return at === text.length ? null : at;
    if (closes(character, inside, expected)) {
      open.pop();
      expected = "separator";
      at += 1;
    } else if (expected === "separator" || expected === "colon") {
      if (character !== (expected === "colon" ? ":" : ",")) return at;
      expected = expected === "separator" && inside === "{" ? "key" : "value";
      at += 1;
    } else if (expected === "key" || expected === "first key") {
      const end: number | null = character === '"' ? endOf(scalar, text, at) : null;
      if (end === null) return at;
      expected = "colon";
      at = end;
    } else if (character === "{" || character === "[") {
      open.push(character);
      expected = character === "{" ? "first key" : "first value";
      at += 1;
    } else {
      const end: number | null = endOf(scalar, text, at);
      if (end === null) return at;
      expected = "separator";
      at = end;
    }
  }
}

const closes = (character: string | undefined, inside: "{" | "[" | undefined, expected: Expected): boolean =>
  (character === "}" && inside === "{" && (expected === "first key" || expected === "separator")) ||
  (character === "]" && inside === "[" && (expected === "first value" || expected === "separator"));

function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
