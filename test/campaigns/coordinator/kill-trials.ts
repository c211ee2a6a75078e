import { existsSync } from "node:fs";
import type { BatchResult } from "../campaign.ts";
import type { Tried } from "./try-kills.ts";

export async function killTrials(
  numbers: { readonly from: number; readonly count: number },
  tryOne: (number: number) => Promise<Tried | null>,
): Promise<BatchResult> {
  const counts = { projects: 0, kills: 0, "double crashes": 0, "delegations repeated": 0 };
  const violations: string[] = [];
  for (let number = numbers.from; number < numbers.from + numbers.count; number++) {
    const tried = await tryOne(number);
    if (tried === null) return { counts, violations, exhausted: true };
    counts.projects += 1;
    counts.kills += tried.kills;
    counts["double crashes"] += tried.kills > 1 ? 1 : 0;
    counts["delegations repeated"] += Math.max(0, tried.repeated);
    violations.push(...tried.violations.map((violation) => `number ${number}: ${violation}`));
  }
  return { counts, violations };
}

export const killHindrance = (): string | null => (existsSync("/proc/self/environ") ? null : "it needs /proc");
