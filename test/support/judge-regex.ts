import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { check, type Parameters } from "recheck";
import type { WrittenRegex } from "./written-regexes.ts";

/**
 * Counts alone decide, on every machine alike, with one seed. What the theory of automata can judge is proven. For the
 * others, mostly those that repeat something up to a number, attacks are searched for. The one time limit ends a search
 * that hangs, many times as long as any takes.
 */
const counted: Parameters = {
  ...{ timeout: 120_000, incubationTimeout: null, mutationTimeout: null, attackTimeout: null, seedingTimeout: null },
  ...{ recallTimeout: -1, randomSeed: 0 },
};

const efforts = {
  /** A fraction of a second for most. */
  short: { maxIteration: 3, maxInitialGenerationSize: 150, maxGeneStringSize: 600 },
  /** What the checker does by default. */
  full: {},
} as const satisfies Record<string, Parameters>;

const { version } = createRequire(import.meta.url)("recheck/package.json") as { readonly version: string };

/** A line for an expression and all else that its verdict depends on. */
export function verdictLine({ source, flags }: WrittenRegex, effort: keyof typeof efforts): string {
  const all = JSON.stringify([version, counted, efforts[effort], source, flags]);
  const hash = createHash("sha256").update(all).digest("hex").slice(0, 32);
  return `${hash} ${JSON.stringify(source.slice(0, 60))}`;
}

const nameOf = ({ file, line, source, flags }: WrittenRegex): string => `${file}:${line} /${source}/${flags}`;

/** Why an expression may take longer than linear time; null when it does not. */
export async function judgeRegex(regex: WrittenRegex, effort: keyof typeof efforts): Promise<string | null> {
  const verdict = await check(regex.source, regex.flags, { ...counted, ...efforts[effort] });
  if (verdict.status === "safe") return null;
  if (verdict.status === "unknown") return `${nameOf(regex)} cannot be judged: ${verdict.error.kind}`;
  return `${nameOf(regex)} takes ${verdict.complexity.summary} time for ${verdict.attack.pattern}`;
}
