import { readVerify } from "../markdown/tasks/read-verify.ts";
import type { CommandConsent, CommandRequest } from "../ports/person.ts";
import type { WholePorts } from "./with-memory.ts";

const withoutOwner: CommandConsent = { given: false, hint: "no one can be asked here" };

/**
 * Whether the owner has agreed to commands. If no one can be asked, only the commands of the initial plan are allowed:
 * later ones may come from an executor.
 */
export async function mayRun({ plan, consent, check }: WholePorts, request: CommandRequest): Promise<CommandConsent> {
  if (consent !== undefined) return consent(request);
  if (request.purpose !== "verify") return request.commands.length === 0 ? { given: true } : withoutOwner;
  const { tasks } = (await plan.begun()).plan;
  const agreed = new Set(check == null ? [] : [check.command]);
  for (const { fields } of tasks) {
    const verify = readVerify(fields.verify);
    if (verify.kind === "command") agreed.add(verify.command);
  }
  return request.commands.every((command) => agreed.has(command)) ? { given: true } : withoutOwner;
}
