import type { Directive } from "../model/directive.ts";
import { eachLine, ownText, unbold } from "./read-lines.ts";

/** Directive of a repair operator, or the `reason` why its answer has none. */
export type ParsedDirective =
  | { readonly kind: "directive"; readonly directive: Directive }
  | { readonly kind: "malformed"; readonly reason: string };

const directiveLine = /^(RETRY|DECOMPOSE|PRUNE|ESCALATE):(.*)$/s;
/** Maximum length of each text, in code points. */
const longest = 500;
/** If an answer has several directives, the error names at most this many. */
const mostNamed = 4;

/**
 * Parse the directive of a repair operator: exactly one line of this form, also in bold, outside of fences and quotes.
 *
 * ```text
 * RETRY: <adjustment>
 * DECOMPOSE: <part> | <part> | <part>
 * PRUNE: <justification>
 * ESCALATE: <tried> | <decision needed>
 * ```
 *
 * @param text The whole final message, untrusted.
 */
export function parseDirective(text: string): ParsedDirective {
  const found: { readonly name: string; readonly rest: string }[] = [];
  eachLine(text, (line) => {
    if (line.kind !== "spoken" || found.length === mostNamed || !line.text.includes(":")) return;
    const [, name, rest = ""] = directiveLine.exec(unbold(line.text.trim())) ?? [];
    if (name !== undefined) found.push({ name, rest });
  });
  const [first] = found;
  if (first === undefined) return malformed("no directive, such as RETRY: what to change");
  if (found.length > 1) return malformed(`more than one directive: ${found.map(({ name }) => name).join(", ")}`);
  return first.name === "DECOMPOSE" ? readParts(first.rest.split("|")) : readText(first.name, first.rest);
}

const malformed = (reason: string): ParsedDirective => ({ kind: "malformed", reason });
const followed = (directive: Directive): ParsedDirective => ({ kind: "directive", directive });

function readParts(texts: readonly string[]): ParsedDirective {
  const count = texts.length;
  if (count < 2 || count > 3) return malformed(`expected 2 or 3 parts after DECOMPOSE, got ${count}`);
  const parts = texts.map((text) => ownText(text, longest)).filter((part) => part !== null);
  return parts.length === count ? followed({ strategy: "decompose", parts }) : unfilled("DECOMPOSE");
}

function readText(name: string, rest: string): ParsedDirective {
  const end = name === "ESCALATE" && rest.includes("|") ? rest.indexOf("|") : rest.length;
  const text = ownText(rest.slice(0, end), longest);
  if (text === null) return unfilled(name);
  if (name === "RETRY") return followed({ strategy: "retry", adjustment: text });
  if (name === "PRUNE") return followed({ strategy: "prune", justification: text });
  return followed({ strategy: "escalate", tried: text, decision: ownText(rest.slice(end + 1), longest) ?? "" });
}

const unfilled = (name: string): ParsedDirective => malformed(`text after ${name} is missing, or still a placeholder`);
