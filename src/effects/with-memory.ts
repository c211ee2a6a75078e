import { openPlan } from "../markdown/document/plan-document.ts";
import { InputError } from "../model/errors.ts";
import type { Attempts } from "../ports/attempts.ts";
import type { Ports } from "../ports/ports.ts";
import { createKnownPlan, type KnownPlan } from "./known-plan.ts";
import { createRunMemory } from "./run-memory.ts";

/** Ports with a memory of the attempts and of the plan. */
export type WholePorts = Ports & { readonly attempts: Attempts; readonly plan: KnownPlan };

const needed = ["executors", "documents", "shell", "clock"] as const;
const baseOf = (known: Ports["known"]) => (typeof known?.text === "string" ? openPlan(known.text) : undefined);

/**
 * The same ports, with a memory of their own when none was given.
 *
 * @throws {InputError} `port-missing`; `plan-unknown` where a run is gone on with, and nobody says how it has left the
 *   plan: what executors have done to it since would be taken for its own
 */
export function withMemory(ports: Ports & Partial<WholePorts>): WholePorts {
  const missing: string[] = needed.filter((name) => ports?.[name] === undefined);
  if (missing.length === 0 && ports.executors.executor === undefined) missing.push("executors.executor");
  if (missing.length > 0) {
    throw new InputError(`Cannot make effects without the ports ${missing.join(", ")}, expected ${needed.join(", ")}`, {
      code: "port-missing",
      hint: "docs/embedding.md lists every port, and what is ready to use for it",
    });
  }
  const { clock, documents, known } = ports;
  if (ports.plan === undefined && ports.attempts?.isUnderWay() === true && typeof known?.text !== "string") {
    throw new InputError("Cannot go on with the run, expected the plan as it was left", {
      code: "plan-unknown",
      hint: "Give the effects the port `known`, `{ text }`, and keep its text with the state of the run",
    });
  }
  const startedAt = clock.now();
  return {
    ...ports,
    attempts: ports.attempts ?? createRunMemory({ elapsedMs: () => clock.now() - startedAt }),
    plan: ports.plan ?? createKnownPlan(documents, { kept: known, base: baseOf(known) }),
  };
}
