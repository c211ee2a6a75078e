import assert from "node:assert/strict";
import type { Chance } from "../support/hostile/chance.ts";
import { mutateText } from "../support/hostile/mutate-text.ts";
import { isRefusal } from "../support/sinks/refusal.ts";
import type { Campaign } from "./campaign.ts";
import { fuzzTrials } from "./fuzz-trials.ts";
import { fileParsers, readBytes } from "./parsers/file-parsers.ts";
import { lineParsers } from "./parsers/line-parsers.ts";

interface ParserInput {
  readonly which: number;
  readonly text: string;
}

export const parsersCampaign: Campaign = {
  name: "parsers",
  about:
    "everything else that is parsed: words of command lines, settings, YAML, state files and journals with flipped bits",
  counts: "inputs",
  trials: [
    fuzzTrials({ name: "texts", full: 150_000, short: 1000, make: makeLine, check: checkLine }),
    fuzzTrials({ name: "files", full: 50_000, short: 500, make: makeFile, check: checkFile }),
  ],
};

function makeLine(chance: Chance): ParserInput {
  const which = chance.below(lineParsers.length);
  return { which, text: mutateText(chance.pick(lineParsers[which]?.seeds ?? [""]), chance) };
}

async function checkLine({ which, text }: ParserInput): Promise<void> {
  const parser = lineParsers[which];
  assert.ok(parser !== undefined);
  await refusedOr(() => assert.ok(parser.holds(parser.parse(text) as never, text), parser.name));
}

function makeFile(chance: Chance): ParserInput {
  const which = chance.below(fileParsers.length);
  return { which, text: mutateText(fileParsers[which]?.content ?? "", chance, 3) };
}

async function checkFile({ which, text }: ParserInput): Promise<void> {
  await refusedOr(() => readBytes(which, Buffer.from(text)));
}

async function refusedOr(call: () => void | Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}
