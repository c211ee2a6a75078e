import { sameAgain } from "../../../model/command-line.ts";
import { createQueue } from "../../../model/create-queue.ts";
import type { CommandRequest, Ports } from "../../../ports/ports.ts";
import type { RunOptions } from "../run-options.ts";
import { findCommands, findStart } from "../start/find-start.ts";
import type { Start } from "../start/start.ts";
import { agreementHash, consentQuestion, isAccepted, type OwnerQuestion } from "./agree.ts";
import { union } from "./requested-consent.ts";

export interface FirstQuestion extends OwnerQuestion {
  /** Whether the start is refused without consent; otherwise the start ends at a gate. */
  readonly refuses: boolean;
  readonly isAnswered: boolean;
  /**
   * Remember consent for a later start. Does nothing for a question that only the start itself can settle, such as who
   * began the run.
   */
  agree(): void;
}

interface Ahead {
  readonly isComplete: boolean;
  readonly question: FirstQuestion | null;
}

/**
 * Find out what a start with these options would do and ask. Writes nothing. A later start with the question's hash in
 * `accept` does not ask again.
 *
 * @throws The errors that the start would throw before it asks.
 */
export async function lookAhead(options: RunOptions): Promise<Ahead> {
  const { data, opened, origin, documents, programs, isComplete } = await findStart(options);
  if (isComplete) return { isComplete, question: null };
  const { agreed } = await findCommands({ opened, origin, documents });
  const found = consentQuestion({ data, plan: opened.plan, origin, verify: agreed, programs, options });
  if (found.question === null) return { isComplete, question: null };
  const isAnswered =
    (found.isFirst && options.yes === true) || (await isAccepted(found.question, { accept: options.accept }));
  const agree = (): void => {
    if (data.state === "own" || data.state === "over") data.owner.agree(found.wanted);
  };
  return { isComplete, question: { ...found.question, refuses: found.isFirst, isAnswered, agree } };
}

const questions: Record<CommandRequest["purpose"], string> = {
  verify: "An executor asks for new tasks with these Verify commands.",
  reality: "The reality check in .progress.md runs this command.",
};

/** Return a function that asks the owner once about each command that comes up during the run. */
export function askLater({
  options,
  consent,
  address,
}: Pick<Start, "options" | "consent" | "address">): NonNullable<Ports["consent"]> {
  // Tasks of a batch may ask at the same time.
  const inTurn = createQueue();
  return ({ purpose, commands }) =>
    inTurn(async () => {
      const agreed = consent.current();
      const others = [...new Set(commands)].filter((command) => !agreed[purpose].includes(command));
      if (others.length === 0) return { given: true };
      const wanted = { ...agreed, [purpose]: union(agreed[purpose], others) };
      const hash = agreementHash(wanted);
      if (!(await isAccepted({ text: questions[purpose], ask: "Run it?", items: others, hash }, options))) {
        return {
          given: false,
          hint: `to let ${others.length === 1 ? "it" : "them"} run: ${sameAgain(address, "--accept", hash)}`,
        };
      }
      consent.agree(wanted);
      return { given: true };
    });
}
