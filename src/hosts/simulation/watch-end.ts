import type { RunMemory } from "../../effects/run-memory.ts";
import { exitCodes, type RunEnded } from "../../model/event.ts";
import { recallRun } from "../node/recall-run.ts";
import type { Processes } from "./processes.ts";
import type { SimulatedJournal } from "./simulated-journal.ts";
import type { World } from "./world.ts";

/** I18, I20, I21: how a start that was not killed leaves things. */
export function watchEnd(
  world: World,
  processes: Processes,
  journal: SimulatedJournal,
  memory: RunMemory,
  { outcome, exitCode, error }: RunEnded,
): void {
  if (exitCode !== exitCodes[outcome]) world.violate("I21", `${outcome} ends with ${exitCode}`);
  if ((error === undefined) !== ["complete", "skipped", "interrupted", "cancelled"].includes(outcome)) {
    world.violate("I21", `${outcome} says ${error ?? "not why"}`);
  }
  if (outcome === "checkpoint" && world.store.reports.size === 0) world.violate("I21", "a checkpoint has no report");
  for (const { delegation } of processes.alive()) world.violate("I20", `${delegation.key} is still at work`);
  const recalled = recallRun(journal.reading());
  if (recalled === null) return;
  const [told, known] = [recalled, memory].map(spentIn);
  // What was not recorded in time is not known to the next start, which does it again.
  const isWhole = outcome !== "environment" && outcome !== "interrupted";
  if (isWhole && told !== known) world.violate("I18", `the records say ${told}, the run knew ${known}`);
}

function spentIn({ ledger, state, skipped, superseded, unverified, escalation, rootOf }: RunMemory): string {
  const { iterations, tasks, tokens, costUsd } = ledger;
  const sorted = Object.entries(tasks).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify({
    ...{ iterations, tokens },
    costUsd: costUsd.toFixed(4),
    tasks: sorted.map(([id, { attempts, retries, fixes, waits = 0, madeFor = null, beforeProgress = null }]) => ({
      ...{ id, attempts, retries, fixes, waits, madeFor, beforeProgress },
    })),
    superseded: [...superseded()].sort(),
    unverified: [...unverified()].sort(),
    failing: [...new Set(sorted.map(([id]) => rootOf(id)))].map((root) => {
      const { failing, change, best, sinceBest, sameErrors, failures } = escalation(root);
      return { root, failing, change, best, sinceBest, sameErrors, failures };
    }),
    accepted: Object.keys(state.accepted).sort(),
    skipped: [...skipped().keys()].sort(),
  });
}
