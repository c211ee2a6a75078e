import { pauseFile } from "../../../adapters/pause-file.ts";
import { InputError } from "../../../model/errors.ts";
import { findSpec } from "../../node/find-spec.ts";
import { readStatus } from "../../node/read-status.ts";
import type { CliCommand } from "../cli-command.ts";
import { escapeText } from "../escape-text.ts";

/** Have the coordinator of a spec begin nothing more until it is resumed. */
export const pause: CliCommand = {
  options: [],
  example: "fixpoint pause my-feature",
  async run(spec, _words, { terminal, folder }) {
    const { name, folder: found, dataFolder } = findSpec(spec, folder);
    const { running } = readStatus(found);
    if (running === null) {
      throw new InputError(`Cannot pause \`${name}\`, expected a coordinator that runs it here`, {
        code: "nothing-to-pause",
        hint: `See where it stands: fixpoint status ${name}`,
      });
    }
    pauseFile(dataFolder).pause();
    const shown = escapeText(name);
    terminal.out(
      `Pausing ${shown}: coordinator ${running.pid} finishes what is under way. Go on: fixpoint resume ${shown}\n`,
    );
    return 0;
  },
};
