import { InputError } from "../../../model/errors.ts";
import { nearestName } from "../../../model/nearest-name.ts";
import { PersonDecision } from "../../../model/person-event.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { tellReceipt } from "../../../wording/tell-receipt.ts";
import { senderOf } from "../../node/consent/own-gate.ts";
import { findSpec } from "../../node/find-spec.ts";
import { type SpokenWord, sayWord } from "../../node/say-word.ts";
import { specAddress } from "../../node/spec-address.ts";
import type { CliCommand, OptionValues } from "../cli-command.ts";
import { readGuidance } from "../options/resume-flags.ts";

const words = ["guidance", ...PersonDecision.options] as const;

/** Say something to a run that is at work in another process; answers when it has recorded that. */
export const say: CliCommand = {
  options: [{ flags: "--task <id>", summary: "the task whose question you answer, when several are open" }],
  example: 'fixpoint say guidance "Use the parser of the core package" my-feature',
  async run(word, values, { terminal, folder, signal }) {
    const { said, spec } = readWords(word, values);
    const found = findSpec(spec, folder, said.word === "guidance" ? 'say guidance "…"' : `say ${said.word}`);
    const address = specAddress(found, { from: folder });
    const by = senderOf(found, `say ${said.word}`);
    const heard = await sayWord(found, said, { by, address, signal });
    const told = escapeText(tellReceipt(heard, address));
    if (heard.receipt.kind === "late" || heard.receipt.kind === "ended") {
      throw new InputError(told, { code: "not-heard" });
    }
    terminal.out(`${told}\n`);
    return 0;
  },
};

/** The word, what belongs to it, and the spec behind that. */
function readWords(
  given: string | undefined,
  { spec, more, task }: OptionValues,
): { readonly said: SpokenWord; readonly spec: string | undefined } {
  const word = words.find((each) => each === given);
  if (word === undefined) {
    const nearest = given === undefined ? undefined : nearestName(given, words);
    throw new InputError(`Cannot say \`${given ?? ""}\`, expected one of ${words.join(", ")}`, {
      code: "bad-usage",
      hint: nearest === undefined ? "See fixpoint say --help" : `Did you mean ${nearest}?`,
    });
  }
  const about = typeof task === "string" ? { task } : {};
  if (word === "guidance") {
    const text = readGuidance(textOf(spec) ?? "", "say guidance");
    return { said: { word, text, ...about }, spec: textOf(more) };
  }
  if (more !== undefined) {
    throw new InputError(`Cannot use \`${String(more)}\` behind \`say ${word}\`, expected a spec and no more`, {
      code: "bad-usage",
      hint: 'Advice is said by itself: fixpoint say guidance "…"',
    });
  }
  return { said: { word, ...about }, spec: textOf(spec) };
}

const textOf = (value: OptionValues[string]): string | undefined => (typeof value === "string" ? value : undefined);
