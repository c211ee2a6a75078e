import { type MessageLine, readLines } from "./read-lines.ts";

/** What a reviewer answers. */
export interface Review {
  /** `none`: the last line is no verdict. */
  readonly verdict: "pass" | "fail" | "none";
  /** Findings a fix task can see to, one a line; empty without any. */
  readonly code: string;
  /** Findings only a person can see to. */
  readonly spec: string;
}

const verdicts: ReadonlyMap<string, Review["verdict"]> = new Map([
  ["REVIEW_PASS", "pass"],
  ["REVIEW_FAIL", "fail"],
]);
const finding = /^(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+)?[*_]{0,3}(CODE|SPEC)[*_]{0,3}:[*_]{0,3}(.*)$/is;
/** UTF-16 code units of all findings of a kind. */
const longest = 2000;

/**
 * What a reviewer's final message says. The verdict is its last line that is not blank, which has to be spoken: not in
 * a fence or a quote. Findings begin with `CODE:` or `SPEC:` and go on to the next one or a blank line; when a review
 * fails without any, all that is said before the verdict is one about the code.
 *
 * @param text
 *   The whole final message, untrusted.
 */
export function parseReview(text: string): Review {
  const lines = readLines(text);
  const spoken = lines.filter(({ kind }) => kind === "spoken").map((line) => line.text.trim());
  const verdict = verdictOf(text, lines.at(-1));
  const said = verdict === "none" ? spoken : spoken.slice(0, spoken.findLastIndex(isFilled));
  const { code, spec } = readFindings(said);
  if (verdict !== "fail" || code.length + spec.length > 0) return { verdict, code: joined(code), spec: joined(spec) };
  return { verdict, code: cut(said.join("\n").trim()), spec: "" };
}

/** @param last The last line, marks of fences left out. A blank one behind a verdict is of its kind. */
function verdictOf(text: string, last: MessageLine | undefined): Review["verdict"] {
  const written = text.trimEnd();
  const line = written.slice(Math.max(written.lastIndexOf("\n"), written.lastIndexOf("\r")) + 1).trim();
  return (last?.kind === "spoken" && verdicts.get(line)) || "none";
}

function readFindings(lines: readonly string[]): { readonly code: string[]; readonly spec: string[] } {
  const found = { code: [] as string[][], spec: [] as string[][] };
  let open: string[] | null = null;
  for (const line of lines) {
    const [, name, text = ""] = finding.exec(line) ?? [];
    if (name !== undefined) {
      open = [text.trim()];
      (name.toUpperCase() === "CODE" ? found.code : found.spec).push(open);
    } else if (line === "") {
      open = null;
    } else {
      open?.push(line);
    }
  }
  const texts = (findings: readonly string[][]): string[] =>
    findings.map((parts) => parts.filter(isFilled).join(" ")).filter(isFilled);
  return { code: texts(found.code), spec: texts(found.spec) };
}

const isFilled = (text: string): boolean => text !== "";
const joined = (findings: readonly string[]): string => cut(findings.join("\n"));
const cut = (text: string): string => text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "");
