import { type SpecAddress, tellWays } from "../../../model/command-line.ts";
import { FixpointError } from "../../../model/errors.ts";
import { countOf } from "../../../model/text.ts";
import { renderItem } from "../../../wording/render-items.ts";
import { lookAhead } from "../consent/ask-first.ts";
import type { RunOptions } from "../run-options.ts";
import type { Finding } from "./check-tools.ts";

/** Maximum number of items listed. */
const mostTold = 4;

/**
 * Describe what a start with these options asks its owner before it delegates anything.
 *
 * @returns Null if it asks nothing, or this cannot be found out, for example because a run is at work.
 */
export async function checkConsent(options: RunOptions, address: SpecAddress): Promise<Finding | null> {
  const question = await lookAhead(options).then(
    (ahead) => ahead.question,
    (error: unknown) => {
      if (error instanceof FixpointError && error.blame !== "invariant") return null;
      throw error;
    },
  );
  if (question === null) return null;
  const { items, hash, refuses } = question;
  const more = items.length > mostTold ? [`${items.length - mostTold} more`] : [];
  const listed = [...items.slice(0, mostTold).map(renderItem), ...more].join("; ");
  const ways = refuses
    ? [{ say: "At a terminal you are asked, elsewhere --yes agrees in advance" }]
    : [{ say: "At a terminal you are asked, elsewhere this agrees in advance", words: ["--accept", hash] }];
  return {
    ...{ about: "consent", level: "ok" },
    what: `a start asks whether you agree to ${countOf(items.length, "item", "items")}: ${listed}`,
    remedy: tellWays(ways, address),
  };
}
