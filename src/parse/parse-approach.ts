import { eachLine, ownText, unbold } from "./read-lines.ts";

/** Approach and findings of an executor. Each text is one line of at most 200 code points. */
export interface ParsedApproach {
  /** The last approach that is named; null if none is named. */
  readonly strategy: string | null;
  /** Oldest first, at most 10, without duplicates. */
  readonly findings: readonly string[];
}

const listMark = /^(?:[-*+•]|\d{1,3}[.)])[ \t]+/;
const approachLine = /^(?:(trying|new approach)|found):(.*)$/is;
/** For example `Approach 1 - `. */
const numbering = /^\s*approach \d{1,3} ?[-–—:]/i;
/** Maximum length of each text, in code points. */
const longest = 200;
const mostFindings = 10;

/**
 * Parse lines `Trying: …`, `New Approach: …` and `Found: …`, also in bold or as items. Fences and quotes are ignored.
 *
 * @param text The whole final message, untrusted.
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
