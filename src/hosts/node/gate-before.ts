import type { JournalReading } from "../../adapters/journal.ts";
import { type SpecAddress, sameAgain } from "../../model/command-line.ts";
import { exitCodes, type RunEnded } from "../../model/event.ts";
import { countTasks, type Plan } from "../../model/plan.ts";
import type { OwnerQuestion } from "./agree.ts";
import { recallRun } from "./recall-run.ts";

/** The end of a start that has begun nothing: its owner has to decide first. */
export function gateBefore(
  { text, items, hash }: OwnerQuestion,
  { tasks }: Plan,
  address: SpecAddress,
  reading: JournalReading,
): RunEnded {
  return {
    type: "run.ended",
    outcome: "gate",
    exitCode: exitCodes.gate,
    ...countTasks(tasks),
    attempts: recallRun(reading)?.ledger.iterations ?? 0,
    skipped: [],
    tickedByHand: 0,
    durationMs: 0,
    error: [text, ...items.map((item) => `  ${item}`)].join("\n"),
    hint: [
      `Look at it, then agree: ${sameAgain(address, "--accept", hash)}`,
      `Or begin anew: ${sameAgain(address, "--new-run")}`,
    ].join("\n"),
  };
}
