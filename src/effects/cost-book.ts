import type { Purpose, SpentByPurpose } from "../model/ledger.ts";
import type { RunRecord } from "../model/record.ts";
import { type AttemptKey, attemptOf, type Usage } from "../model/reply.ts";

type Delegated = Extract<RunRecord, { type: "delegated" }>;
type Answered = Pick<Extract<RunRecord, { type: "answered" }>, "key" | "reply" | "review" | "usage">;

/** What delegations have cost, by what they were made for. */
export interface CostBook {
  readonly spent: SpentByPurpose;
  begin(delegated: Pick<Delegated, "key" | "role" | "rung">): void;
  /** What an answer says that it has cost. */
  use(answered: Answered): void;
  /** Attempts of the turn before are asked for no more. */
  beginTurn(): void;
  /** Go on from there. */
  take(kept: SpentByPurpose): void;
}

export function createCostBook(): CostBook {
  let spent: SpentByPurpose = {};
  const purposes = new Map<AttemptKey, Purpose>();
  const add = (purpose: Purpose, { inputTokens = 0, outputTokens = 0, costUsd = 0 }: Usage, delegations = 0): void => {
    const before = spent[purpose] ?? { delegations: 0, costUsd: 0, tokens: 0 };
    spent = {
      ...spent,
      [purpose]: {
        delegations: before.delegations + delegations,
        costUsd: before.costUsd + costUsd,
        tokens: before.tokens + inputTokens + outputTokens,
      },
    };
  };
  return {
    get spent() {
      return spent;
    },
    begin: ({ key, role, rung }) => {
      if (role === "reviewer" || role === "operator") {
        add(role, {}, 1);
        return;
      }
      const purpose: Purpose = rung ?? "first";
      purposes.set(key, purpose);
      add(purpose, {}, 1);
    },
    use: ({ key, reply, review, usage }) => {
      if (reply?.usage !== undefined) add(purposes.get(attemptOf(key)) ?? "first", reply.usage);
      if (review?.usage !== undefined) add("reviewer", review.usage);
      // Only of the repair operator no reply is kept.
      if (usage !== undefined) add("operator", usage);
    },
    beginTurn: () => purposes.clear(),
    take: (kept) => {
      spent = kept;
    },
  };
}
