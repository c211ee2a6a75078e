import { createQueue } from "../model/create-queue.ts";
import type { Ports } from "../ports/ports.ts";
import { answerOf, answers, questionMeant } from "../run/words.ts";
import type { Start } from "./start.ts";

/**
 * Answers the question that ended the previous start with the person's input to this one. Other questions go to whoever
 * can be asked now: no one if the run is unattended.
 *
 * @param midTurn Whether that question is still open; if not, only an answer that ends its work counts.
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
