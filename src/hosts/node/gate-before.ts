import { type SpecAddress, sameAgain } from "../../model/command-line.ts";
import { exitCodes, type RunEnded } from "../../model/event.ts";
import { countTasks, type Plan } from "../../model/plan.ts";
import type { Origin } from "../../start/origin.ts";
import type { OwnerQuestion } from "./agree.ts";

/** The end of a start that has begun nothing: its owner has to decide first. */
export function gateBefore(
  { text, items, hash }: OwnerQuestion,
  { tasks }: Plan,
  address: SpecAddress,
  { state, seed }: Pick<Origin, "state" | "seed">,
): RunEnded {
  return {
    type: "run.ended",
    outcome: "gate",
    exitCode: exitCodes.gate,
    ...countTasks(tasks),
    attempts: (state ?? seed).iterations,
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
