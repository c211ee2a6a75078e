import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { check, type Parameters } from "recheck";
import type { WrittenRegex } from "./written-regexes.ts";

/** Gives the same verdict on every machine: a fixed seed, and counts instead of a time limit. */
const counted: Parameters = {
  ...{ timeout: 120_000, incubationTimeout: null, mutationTimeout: null, attackTimeout: null, seedingTimeout: null },
  ...{ recallTimeout: -1, randomSeed: 0 },
};

const effort: Parameters = { maxIteration: 3, maxInitialGenerationSize: 150, maxGeneStringSize: 600 };

const { version } = createRequire(import.meta.url)("recheck/package.json") as { readonly version: string };

export function verdictLine({ source, flags }: WrittenRegex): string {
  const all = JSON.stringify([version, counted, effort, source, flags]);
  const hash = createHash("sha256").update(all).digest("hex").slice(0, 32);
  return `${hash} ${JSON.stringify(source.slice(0, 60))}`;
}

const nameOf = ({ file, line, source, flags }: WrittenRegex): string => `${file}:${line} /${source}/${flags}`;

export async function judgeRegex(regex: WrittenRegex): Promise<string | null> {
  const verdict = await check(regex.source, regex.flags, { ...counted, ...effort });
  if (verdict.status === "safe") return null;
  if (verdict.status === "unknown") return `${nameOf(regex)} cannot be judged: ${verdict.error.kind}`;
  return `${nameOf(regex)} takes ${verdict.complexity.summary} time for ${verdict.attack.pattern}`;
}
