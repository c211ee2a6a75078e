import { isSecretName } from "./scrub-environment.ts";

/**
 * Take out of a text what stands behind the name of a secret, as in `password=…`, `"apiKey": "…"` and `x-api-key: …`.
 * A reference such as `$TOKEN`, a type, a path and a number are no values. Linear in the length of the text.
 */
export function redactNamed(text: string, instead: string): string {
  const parts: string[] = [];
  let kept = 0;
  for (const { 0: label, 1: name = "", 2: sign = "", index } of text.matchAll(labels)) {
    const at = index + label.length;
    if (at < kept || !isSecretLabel(name, sign)) continue;
    const found = valueAt(text, at);
    if (!isValue(found, name, sign)) continue;
    parts.push(text.slice(kept, at), instead);
    kept = at + found.length;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(kept);
}

/** A name and the sign that gives it a value. */
const labels = /(?<![\w-])([\w-]{2,80})(\\?["'`]?[ \t]{0,2}(?:=>|:=|={1,3}|:)[ \t]{0,2}\\?["'`]?)/g;

/** One word, without what closes the sentence or the list that it stands in. */
function valueAt(text: string, at: number): string {
  const found = text.slice(at, at + longest);
  const word = found.slice(0, found.search(/[\s"'`\\]|$/));
  let end = word.length;
  while (end > 0 && ")]}>,;.".includes(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end);
}
const longest = 1000;

/** In capitals what is one of a variable. `PASS:` stands before the name of a test. */
function isSecretLabel(name: string, sign: string): boolean {
  if (/^pass$/i.test(name)) return sign.includes("=");
  return /[a-z]/.test(name) ? labelWord.test(name) : isSecretName(name.replaceAll("-", "_"));
}
/** Unlike in variables no key of any kind: many things have keys that are no secrets. */
const labelWord =
  /(?:password|passwd|passphrase|[-_]pass|[-_]?pwd|secret|token|credentials?|jwt|(?:api|access|private|secret|auth)[-_]?key|[-_]auth|cookie)$/i;

function isValue(found: string, name: string, sign: string): boolean {
  if (noValue.test(found)) return false;
  if (!/pass|pwd/i.test(name)) return found.length >= 12 && /\d/.test(found);
  if (found.length < 6) return false;
  // Written without a blank even words are one: `password=` and a word.
  return (sign === "=" && !ofProgram.test(found)) || /[^a-z_.:/-]/i.test(found);
}

/** References, calls, masks, what was taken out already, paths and numbers. */
const noValue = /^(?:[$%<{[(*/~!]|\.{1,2}\/|[A-Za-z_][\w.$]{0,80}[([<]|\d[\d.:,TZ-]*$|0x[\da-f]+$)/i;
const ofProgram = /^(?:string|undefined|required|optional|boolean|number|missing|invalid|incorrect|redacted)$/i;
