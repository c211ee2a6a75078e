import type { Journal } from "../../adapters/journal.ts";
import { createQueue } from "../../effects/create-queue.ts";
import type { CommandRequest, Ports } from "../../ports.ts";
import type { Start } from "./start.ts";
import { hashCommands } from "./verify-commands.ts";

const questions: Record<CommandRequest["purpose"], string> = {
  verify: "An executor asks for tasks that these commands verify. Run them?",
  reality: "The reality check in .progress.md runs this command. Run it?",
};

/** Asks the owner about commands that come up during the run, once each; what is agreed to is recorded. */
export function askLater(
  { options: { yes = false, confirm }, agreed }: Pick<Start, "options" | "agreed">,
  journal: Pick<Journal, "append">,
): NonNullable<Ports["consent"]> {
  const known = { verify: new Set(agreed?.commands ?? []), reality: new Set(agreed?.reality ?? []) };
  // Members of a batch may ask at the same time.
  const inTurn = createQueue();
  return ({ purpose, commands }) =>
    inTurn(async () => {
      const others = [...new Set(commands)].filter((command) => !known[purpose].has(command));
      if (others.length === 0) return true;
      if (!yes && !(await confirm?.(questions[purpose], others))) return false;
      for (const command of others) known[purpose].add(command);
      journal.append({ type: "approved", verifyHash: hashCommands(known.verify, known.reality) }, { durable: true });
      return true;
    });
}
