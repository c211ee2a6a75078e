import { hostileStrings } from "../support/hostile-strings.ts";
import { sinks } from "../support/sinks/all-sinks.ts";
import type { Sink } from "../support/sinks/sink.ts";
import type { Batch, BatchResult, Campaign, Trials } from "./campaign.ts";

/** A step coprime to the number of strings, so that a few strings cover each family. */
const step = 401;
const shortened = 30;

/** Campaign in which trial i tries one string of the shared list, whatever the seed. */
export const hostileCampaign: Campaign = {
  name: "hostile",
  about: "every hostile string in every place to which foreign text is written, checked by independent readers",
  counts: "escapes tried",
  trials: sinks.map(trialsOf),
};

function trialsOf(sink: Sink): Trials {
  const short = Math.ceil(hostileStrings.length / (sink.every * shortened));
  return { name: sink.name, full: hostileStrings.length, short, batch: 50, run: (batch) => run(sink, batch) };
}

async function run(sink: Sink, { from, count }: Batch): Promise<BatchResult> {
  const chosen = Array.from({ length: count }, (_, index) => from + index).filter(
    (index) => index < hostileStrings.length,
  );
  const violations: string[] = [];
  const open = sink.open();
  try {
    for (const number of chosen) {
      const hostile = hostileStrings[(number * step) % hostileStrings.length];
      if (hostile === undefined) continue;
      try {
        await open.check(hostile.text);
      } catch (error) {
        const told = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
        violations.push(`${sink.name} lets "${hostile.name}" through (number ${number}): ${told.slice(0, 1000)}`);
      }
    }
  } finally {
    open.close();
  }
  const exhausted = from + count >= hostileStrings.length;
  return { counts: { "escapes tried": chosen.length }, violations, exhausted };
}
