import { createQueue } from "../model/create-queue.ts";
import type { Ports } from "../ports/ports.ts";
import { answerOf, answers, questionMeant } from "../run/words.ts";
import type { Start } from "./start.ts";

/**
 * Answers the question that ended the start before with what the person has said to this one; all others are put to
 * whoever can be asked now: nobody where the run is unattended.
 *
 * @param midTurn Whether that very question is still open; else only what ends the work on it is to be said.
 */
export function personPort(
  { options, origin }: Pick<Start, "options" | "origin">,
  midTurn: boolean,
): NonNullable<Ports["person"]> {
  const { past, policy } = origin;
  const asked = questionMeant(options, past);
  let words = asked === null ? null : answerOf(options, past, midTurn);
  // Members of a batch may ask at the same time.
  const inTurn = createQueue();
  return (question, signal) =>
    inTurn(async () => {
      if (words === null || asked === null || !answers(options, asked, question)) {
        return policy.unattended ? null : ((await options.decide?.(question, signal)) ?? null);
      }
      const said = words;
      words = null;
      return said;
    });
}
