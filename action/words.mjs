/**
 * Split a text into words as a shell does: quotes and backslashes keep blanks. Variables, commands and patterns are not
 * expanded. Throws if a quote is not closed.
 */
export function splitWords(text) {
  if (!whole.test(text))
    throw new Error(`Cannot split ${JSON.stringify(text)} into words, expected every quote to be closed`);
  return [...text.matchAll(word)].map(([found]) => found.replace(part, unquoted));
}

const pieces = String.raw`[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*'`;
const word = new RegExp(`(?:${pieces})+`, "g");
const whole = new RegExp(`^(?:${pieces}|\\s)*$`);
const part = /"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])/g;

const unquoted = (_, double, single, escaped) => double?.replace(/\\(["\\$`])/g, "$1") ?? single ?? escaped;
