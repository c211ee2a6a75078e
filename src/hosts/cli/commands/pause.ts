import { readJournal } from "../../../adapters/journal.ts";
import { pauseFile } from "../../../adapters/pause-file.ts";
import { whoSpeaks } from "../../../adapters/speaker.ts";
import { commandLine, type SpecAddress } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { findSpec } from "../../node/find-spec.ts";
import { holderOf } from "../../node/holder-of.ts";
import { refuseOwnWord } from "../../node/own-gate.ts";
import { specAddress } from "../../node/spec-address.ts";
import type { CliCommand } from "../cli-command.ts";
import { escapeText } from "../escape-text.ts";
import { type Hearing, hear } from "../hear.ts";

/** Have the coordinator of a spec begin nothing more until it is resumed; answers when it has heard that. */
export const pause: CliCommand = {
  options: [],
  example: "fixpoint pause my-feature",
  async run(spec, _words, { terminal, folder, signal }) {
    const found = findSpec(spec, folder, "pause");
    const { name, dataFolder } = found;
    const address = specAddress(found, { from: folder });
    refuseOwnWord(found, "pause");
    const holder = holderOf(readJournal(dataFolder));
    if (holder === null) {
      throw new InputError(`Cannot pause \`${name}\`, expected a run that is going on here`, {
        code: "nothing-to-pause",
        hint: `See where it stands: ${commandLine(address, "status")}`,
      });
    }
    pauseFile(dataFolder).pause(whoSpeaks());
    const hearing = await hear(dataFolder, "pause", signal);
    terminal.out(`${escapeText(tell(hearing, name, { pid: holder.pid, address }))}\n`);
    return 0;
  },
};

function tell(
  hearing: Hearing,
  name: string,
  { pid, address }: { readonly pid: number; readonly address: SpecAddress },
): string {
  const goOn = `Go on: ${commandLine(address, "resume")}`;
  switch (hearing.kind) {
    case "heard": {
      const { atWork } = hearing;
      if (atWork.length === 0) return `Paused ${name}: coordinator ${pid} starts nothing more. ${goOn}`;
      return `Pausing ${name}: coordinator ${pid} will pause, and finishes ${atWork.join(", ")} first. ${goOn}`;
    }
    case "ended":
      return `Not paused: coordinator ${pid} ended before it noticed. See how: ${commandLine(address, "status")}`;
    case "waiting":
      return `Pausing ${name}: coordinator ${pid} has not noticed it yet. As soon as it does, it starts nothing more. ${goOn}`;
  }
}
