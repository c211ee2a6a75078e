import {
  faultsOf,
  formFaults,
  graphOf,
  ladderWalks,
  leanFamilies,
  leanFaults,
  nameOfWalk,
  plainWalks,
  unlikeIn,
} from "../support/walks.ts";
import type { Campaign, Trials } from "./campaign.ts";

const walks = [...plainWalks, ...ladderWalks];
const lean = Object.values(leanFamilies).flat();

/** Campaign in which trial `i` explores every state of policy `i`. The seed has no effect. */
export const walksCampaign: Campaign = {
  name: "walks",
  about:
    "every path through the machine of a task, under all policies, including those that take too long for the tests",
  counts: "walks",
  trials: [
    trialsOf(
      "everything that may be answered",
      walks,
      (walk) => [
        ...[...faultsOf(walk), ...formFaults(graphOf(walk))],
        ...unlikeIn(walk).map((place) => `continues from ${place} in two ways`),
      ],
      nameOfWalk,
    ),
    trialsOf(
      "what decides how long a run gets",
      lean,
      ({ policy }) => leanFaults(policy),
      ({ policy }) => JSON.stringify(policy),
    ),
  ],
};

function trialsOf<Each>(
  name: string,
  all: readonly Each[],
  faults: (each: Each) => string[],
  tell: (each: Each) => string,
): Trials {
  return {
    ...{ name, full: all.length, short: 0, batch: 1 },
    run: async ({ from }) => {
      const each = all[from];
      if (each === undefined) return { counts: {}, violations: [], exhausted: true };
      return {
        counts: { walks: 1 },
        violations: faults(each).map((fault) => `number ${from}, ${tell(each)}: ${fault}`),
      };
    },
  };
}
