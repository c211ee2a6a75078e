import { commandLine } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { renderItems } from "../../../wording/render-items.ts";
import { resetOf } from "../../node/cleanup/reset-spec.ts";
import { senderOf } from "../../node/consent/own-gate.ts";
import { findSpec } from "../../node/find-spec.ts";
import { specAddress } from "../../node/spec-address.ts";
import type { CliCommand } from "../cli-command.ts";
import { askPerson } from "../person-at.ts";

/** Take away all that is there of a run, so that the next one begins anew; shown and asked first. */
export const reset: CliCommand = {
  options: [{ flags: "--yes", summary: "agree in advance" }],
  example: "fixpoint reset my-feature",
  async run(spec, values, { terminal, folder }) {
    const found = findSpec(spec, folder, "reset");
    senderOf(found, "reset");
    const { goes, stays, perform } = resetOf(found, folder);
    const kept = stays.map((line) => `stays: ${line}`);
    if (goes.length === 0) {
      const nothing = [`Nothing to reset: there is no run of ${found.name}`, ...kept];
      terminal.out(nothing.map((line) => `${escapeText(line)}\n`).join(""));
      return 0;
    }
    const question = `Resetting ${found.name} removes:`;
    const { ask, out } = terminal;
    const isAgreed =
      values["yes"] === true ||
      (ask !== undefined && (await askPerson(question, [...goes, ...kept], ask, out, terminal)));
    if (!isAgreed) {
      const list = renderItems([...goes, ...kept]);
      throw new InputError(`Cannot reset \`${found.name}\` without your consent. It would remove:\n${list}`, {
        code: "reset-not-agreed",
        hint: `Agree: ${commandLine(specAddress(found, { from: folder }), "reset", { options: ["--yes"] })}`,
      });
    }
    perform();
    const told = [...goes.map((line) => `removed: ${line}`), ...kept];
    terminal.out(told.map((line) => `${escapeText(line)}\n`).join(""));
    return 0;
  },
};
