import { commandLine, type SpecAddress } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { senderOf } from "../../node/consent/own-gate.ts";
import { findSpec } from "../../node/find-spec.ts";
import { pauseRun, type Receipt } from "../../node/message-run.ts";
import { specAddress } from "../../node/spec-address.ts";
import type { CliCommand } from "../cli-command.ts";

/** Have the coordinator of a spec begin nothing more until it is resumed; answers when it has recorded that. */
export const pause: CliCommand = {
  options: [],
  example: "fixpoint pause my-feature",
  async run(spec, _values, { terminal, folder, signal }) {
    const found = findSpec(spec, folder, "pause");
    const { name } = found;
    const address = specAddress(found, { from: folder });
    const paused = await pauseRun(found, senderOf(found, "pause"), signal);
    if (paused === null) {
      throw new InputError(`Cannot pause \`${name}\`, expected a run that is going on here`, {
        code: "nothing-to-pause",
        hint: `See where it stands: ${commandLine(address, "status")}`,
      });
    }
    terminal.out(`${escapeText(tell(paused, name, address))}\n`);
    return 0;
  },
};

function tell(
  { pid, receipt }: { readonly pid: number; readonly receipt: Receipt },
  name: string,
  address: SpecAddress,
): string {
  const goOn = `Go on: ${commandLine(address, "resume")}`;
  switch (receipt.kind) {
    case "recorded": {
      const { atWork } = receipt;
      if (atWork.length === 0) return `Paused ${name}: coordinator ${pid} starts nothing more. ${goOn}`;
      return `Pausing ${name}: coordinator ${pid} will pause, and finishes ${atWork.join(", ")} first. ${goOn}`;
    }
    case "ended":
      return `Not paused: coordinator ${pid} ended before it noticed. See how: ${commandLine(address, "status")}`;
    case "waiting":
      return `Pausing ${name}: coordinator ${pid} has not noticed it yet. As soon as it does, it starts nothing more. ${goOn}`;
  }
}
