import { eachLine, ownText, unbold } from "./read-lines.ts";

/** What an executor says of its way to a solution. Texts are one line of at most 200 code points. */
export interface ParsedApproach {
  /** What it tries, as named last; null when it does not say. */
  readonly strategy: string | null;
  /** What it has found out, oldest first: at most 10, none twice. */
  readonly findings: readonly string[];
}

const listMark = /^(?:[-*+•]|\d{1,3}[.)])[ \t]+/;
const approachLine = /^(?:(trying|new approach)|found):(.*)$/is;
/** Of an approach in a list of alternatives: `Approach 1 - `. */
const numbering = /^\s*approach \d{1,3} ?[-–—:]/i;
/** Code points of each text. */
const longest = 200;
const mostFindings = 10;

/**
 * Read what an executor names as `Trying: …` or `New Approach: …`, and as `Found: …`: lines of their own outside
 * fences and quotes, as items of a list or bold, too.
 *
 * @param text
 *   The whole final message, untrusted.
 */
export function parseApproach(text: string): ParsedApproach {
  let strategy: string | null = null;
  const findings = new Set<string>();
  eachLine(text, (line) => {
    if (line.kind !== "spoken" || !line.text.includes(":")) return;
    const [whole, tried, rest = ""] = approachLine.exec(unbold(line.text.trim().replace(listMark, ""))) ?? [];
    if (whole === undefined) return;
    const stated = ownText(tried === undefined ? rest : rest.replace(numbering, ""), longest);
    if (tried !== undefined) strategy = stated ?? strategy;
    else if (stated !== null && findings.size < mostFindings) findings.add(stated);
  });
  return { strategy, findings: [...findings] };
}
