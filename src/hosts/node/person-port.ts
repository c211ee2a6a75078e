import { createQueue } from "../../effects/create-queue.ts";
import type { RunMemory } from "../../effects/run-memory.ts";
import type { PersonDecision } from "../../model/person-event.ts";
import type { PersonAnswer, PersonQuestion } from "../../ports/person.ts";
import type { Ports } from "../../ports/ports.ts";
import { type AskedBefore, askedBefore, endedBefore } from "./asked-before.ts";
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
      if (words === null || asked === null || !isMeant(question, asked, start.options.decision)) {
        return (await start.options.decide?.(question, signal)) ?? null;
      }
      const said = words;
      words = null;
      return said;
    });
}

/**
 * Whether words that were said to a question answer this one. What is left out has to be what was asked about then:
 * where parts are given up in between, the question comes back about their whole.
 */
const isMeant = ({ task, current, about }: PersonQuestion, asked: AskedBefore, decision?: PersonDecision): boolean =>
  task === asked.root && (decision !== "skip" || about === "checkpoint" || current === asked.current);

function wordsOf(start: Start, midTurn: boolean): PersonAnswer | null {
  const { resume, guidance, decision } = start.options;
  if (decision !== undefined && (midTurn || decision !== "retry")) return { kind: "decided", decision };
  if (decision !== undefined || !midTurn) return null;
  // To resume a checkpoint is to say that it goes on, with advice or without.
  return guidance !== undefined || (resume === true && endedBefore(start)?.ending.outcome === "checkpoint")
    ? { kind: "guided", text: guidance ?? "" }
    : null;
}
