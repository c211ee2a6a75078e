import type { Purpose } from "../model/ledger.ts";
import type { RunRecord } from "../model/record.ts";
import { attemptOf, type Usage } from "../model/reply.ts";
import { worksOnTasks } from "../model/role.ts";
import { at, type RunState } from "../model/run-state.ts";

type RecordOf<Type extends RunRecord["type"]> = Extract<RunRecord, { type: Type }>;

export function countDelegation(state: RunState, { key, role, rung }: RecordOf<"delegated">): void {
  const purpose: Purpose = worksOnTasks(role) ? (rung ?? "first") : role;
  state.turn.purposes[key] = purpose;
  charge(state, purpose, { costUsd: 0, inputTokens: 0 }, 1);
}

/** Add up the usage of an answer. */
export function countUse(state: RunState, { effect, key, reply, review, usage }: RecordOf<"answered">): void {
  const purpose = at(state.turn.purposes, attemptOf(key)) ?? "first";
  if (reply !== undefined) use(state, purpose, reply.usage);
  if (review !== undefined) use(state, "reviewer", review.usage);
  // No reply is kept of the repair operator, or of a stopped racer.
  if (usage !== undefined) use(state, effect === "delegate" ? purpose : "operator", usage);
}

function use(state: RunState, purpose: Purpose, usage: Usage = {}): void {
  const { inputTokens, outputTokens, costUsd } = usage;
  state.tokens += (inputTokens ?? 0) + (outputTokens ?? 0);
  state.costUsd += costUsd ?? 0;
  state.unknownUsage.cost ||= costUsd === undefined;
  state.unknownUsage.tokens ||= inputTokens === undefined && outputTokens === undefined;
  charge(state, purpose, usage, 0);
}

function charge(
  { costs }: RunState,
  purpose: Purpose,
  { inputTokens = 0, outputTokens = 0, costUsd = 0 }: Usage,
  delegations: number,
): void {
  const before = costs[purpose] ?? { delegations: 0, costUsd: 0, tokens: 0 };
  costs[purpose] = {
    delegations: before.delegations + delegations,
    costUsd: before.costUsd + costUsd,
    tokens: before.tokens + inputTokens + outputTokens,
  };
}
