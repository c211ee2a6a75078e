import { commandLine } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { tellReceipt } from "../../../wording/tell-receipt.ts";
import { senderOf } from "../../node/consent/own-gate.ts";
import { findSpec } from "../../node/find-spec.ts";
import { holderOf } from "../../node/reading/recorded-starts.ts";
import { sayWord } from "../../node/say-word.ts";
import { specAddress } from "../../node/spec-address.ts";
import type { CliCommand } from "../cli-command.ts";

/** Have the coordinator of a spec begin nothing more until it is resumed; answers when it has recorded that. */
export const pause: CliCommand = {
  options: [],
  example: "fixpoint pause my-feature",
  async run(spec, _values, { terminal, folder, signal }) {
    const found = findSpec(spec, folder, "pause");
    const address = specAddress(found, { from: folder });
    const by = senderOf(found, "pause");
    if (holderOf(found) === null) {
      throw new InputError(`Cannot pause \`${found.name}\`, expected a run that is going on here`, {
        code: "nothing-to-pause",
        hint: `See where it stands: ${commandLine(address, "status")}`,
      });
    }
    const said = await sayWord(found, { word: "pause" }, { by, address, signal });
    terminal.out(`${escapeText(tellReceipt(said, address))}\n`);
    return 0;
  },
};
