import { createQueue } from "../../effects/create-queue.ts";
import type { RunMemory } from "../../effects/run-memory.ts";
import type { PersonAnswer } from "../../ports/person.ts";
import type { Ports } from "../../ports/ports.ts";
import { askedBefore, endedBefore } from "./asked-before.ts";
import type { Start } from "./start.ts";

/**
 * Answers the question that ended the start before with what the person has said to this one; all others are put to
 * whoever can be asked now.
 *
 * @param midTurn Whether that very question is still open; else only what ends the work on it is to be said.
 */
export function personPort(start: Start, memory: RunMemory, midTurn: boolean): NonNullable<Ports["person"]> {
  const asked = askedBefore(start, memory);
  let words = asked === null ? null : wordsOf(start, midTurn);
  // Members of a batch may ask at the same time.
  const inTurn = createQueue();
  return (question, signal) =>
    inTurn(async () => {
      if (words === null || question.task !== asked) return (await start.options.decide?.(question, signal)) ?? null;
      const said = words;
      words = null;
      return said;
    });
}

function wordsOf(start: Start, midTurn: boolean): PersonAnswer | null {
  const { resume, guidance, decision } = start.options;
  if (decision !== undefined && (midTurn || decision !== "retry")) return { kind: "decided", decision };
  if (decision !== undefined || !midTurn) return null;
  // To resume a checkpoint is to say that it goes on, with advice or without.
  return guidance !== undefined || (resume === true && endedBefore(start)?.ending.outcome === "checkpoint")
    ? { kind: "guided", text: guidance ?? "" }
    : null;
}
