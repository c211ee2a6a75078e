import { openPlan } from "../markdown/document/plan-document.ts";
import { InputError } from "../model/errors.ts";
import type { Attempts } from "../ports/attempts.ts";
import type { Worktree } from "../ports/git.ts";
import type { Ports } from "../ports/ports.ts";
import { createRunMemory } from "./run-memory.ts";
import { type TrackedPlan, trackPlan } from "./tracked-plan.ts";

export type WholePorts = Ports & {
  readonly attempts: Attempts;
  readonly plan: TrackedPlan;
  /** The worktree of these ports; absent for ports of the workspace. */
  readonly apart?: Worktree;
};

const needed = ["executors", "documents", "shell", "clock"] as const;

/**
 * Add a memory to ports that have none.
 *
 * @throws {InputError} `port-missing`
 */
export function withMemory(ports: Ports & Partial<WholePorts>): WholePorts {
  const missing: string[] = needed.filter((name) => ports?.[name] === undefined);
  if (missing.length === 0 && ports.executors.executor === undefined) missing.push("executors.executor");
  if (missing.length > 0) {
    throw new InputError(`Cannot make effects without the ports ${missing.join(", ")}, expected ${needed.join(", ")}`, {
      code: "port-missing",
      hint: "docs/orchestrator.md lists every port, with ready implementations",
    });
  }
  const { clock, documents } = ports;
  const attempts = ports.attempts ?? createRunMemory();
  attempts.startClock(clock.now);
  const seen = attempts.planSeen();
  const base = seen === null ? undefined : openPlan(seen);
  return { ...ports, attempts, plan: ports.plan ?? trackPlan(documents, attempts, { base }) };
}
