import type { Attempts } from "../ports/attempts.ts";
import type { Ports } from "../ports/ports.ts";
import { createKnownPlan, type KnownPlan } from "./known-plan.ts";
import { createRunMemory } from "./run-memory.ts";

/** Ports with a memory of the attempts and of the plan. */
export type WholePorts = Ports & { readonly attempts: Attempts; readonly plan: KnownPlan };

/** The same ports, with a memory of their own when none was given. */
export function withMemory(ports: Ports & Partial<WholePorts>): WholePorts {
  const { clock, documents } = ports;
  const startedAt = clock.now();
  return {
    ...ports,
    attempts: ports.attempts ?? createRunMemory({ elapsedMs: () => clock.now() - startedAt }),
    plan: ports.plan ?? createKnownPlan(documents),
  };
}
