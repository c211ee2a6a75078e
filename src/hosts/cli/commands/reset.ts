import * as z from "zod";
import { commandLine } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { fitItems, renderItems } from "../../../wording/render-items.ts";
import { cleanRuns, renderRemoved } from "../../node/cleanup/old-runs.ts";
import { resetOf } from "../../node/cleanup/reset-spec.ts";
import { senderOf } from "../../node/consent/own-gate.ts";
import { command } from "../command.ts";
import { flag } from "../options/read-flag.ts";
import { askPerson } from "../person-at.ts";

export const reset = command({
  options: { yes: flag(z.boolean(), "--yes", "agree in advance") },
  example: "fixpoint reset my-feature",
  async run({ words: [named], given, open, surroundings: { terminal, folder } }) {
    const { spec: found, address } = open(named, "reset");
    senderOf(found, "reset");
    const { goes, stays, perform } = resetOf(found, folder);
    const kept = stays.map((line) => `stays: ${line}`);
    if (goes.length === 0) {
      const nothing = [`Nothing to reset: there is no run of ${found.name}`, ...kept];
      terminal.out(nothing.map((line) => `${escapeText(line)}\n`).join(""));
      return;
    }
    const { ask, out } = terminal;
    const question = `Resetting ${found.name} removes:`;
    if (given.yes !== true && ask !== undefined && stays.length > 0)
      out(
        `${fitItems(`Resetting ${escapeText(found.name)} does not remove:\n${renderItems(stays)}`, terminal.columns)}\n`,
      );
    const isAgreed = given.yes === true || (ask !== undefined && (await askPerson(question, goes, ask, out, terminal)));
    if (!isAgreed) {
      const lists = [
        `Cannot reset \`${found.name}\` without your consent. The reset would remove:\n${renderItems(goes)}`,
        ...(stays.length === 0 ? [] : [`It would not remove:\n${renderItems(stays)}`]),
      ];
      throw new InputError(lists.join("\n"), {
        code: "reset-not-agreed",
        hint: `Agree: ${commandLine(address, "reset", { options: ["--yes"] })}`,
      });
    }
    perform();
    const told = [...goes.map((line) => `removed: ${line}`), ...kept];
    terminal.out(told.map((line) => `${escapeText(line)}\n`).join(""));
  },
});

export const clean = command({
  options: {
    keep: flag(z.int().min(1), "--keep-runs <n>", "how many runs to keep, the latest included", {
      group: "This start",
      unset: "1",
    }),
  },
  example: "fixpoint clean my-feature --keep-runs 3",
  run({ words: [named], given: { keep = 1 }, open, surroundings: { terminal, folder } }) {
    const { spec: found } = open(named, "clean");
    senderOf(found, "clean");
    const removed = cleanRuns(found, folder, keep);
    const { runs } = removed;
    const told =
      runs.length === 0
        ? `Nothing to remove: ${found.name} has no more than ${keep === 1 ? "its latest run" : `${keep} runs`}`
        : `${renderRemoved(removed)}: ${runs.join(", ")}`;
    terminal.out(`${escapeText(told)}\n`);
  },
});
