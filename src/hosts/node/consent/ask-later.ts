import { createQueue } from "../../../effects/create-queue.ts";
import { sameAgain } from "../../../model/command-line.ts";
import type { CommandRequest } from "../../../ports/person.ts";
import type { Ports } from "../../../ports/ports.ts";
import type { Start } from "../start/start.ts";
import { agreementHash, isAccepted, union } from "./agree.ts";

const questions: Record<CommandRequest["purpose"], string> = {
  verify: "An executor asks for new tasks with these Verify commands.",
  reality: "The reality check in .progress.md runs this command.",
};

/** Ask the owner about commands that come up during the run, once about each. */
export function askLater({
  options,
  consent,
  address,
}: Pick<Start, "options" | "consent" | "address">): NonNullable<Ports["consent"]> {
  // Members of a batch may ask at the same time.
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
