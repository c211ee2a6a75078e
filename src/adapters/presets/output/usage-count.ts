import type { Usage } from "../../../model/reply.ts";
import type { WorkProgress } from "../../../ports/executor.ts";
import { amountAt, type StreamEvent } from "./stream-event.ts";

/** Names of the fields in one report of usage. The values of several fields are added up. */
export interface UsageFields {
  readonly input: readonly (readonly string[])[];
  readonly output: readonly (readonly string[])[];
  readonly cost?: readonly string[];
}

/** Tokens as Anthropic's API counts them: `input_tokens` leaves out tokens from a cache. */
export const anthropicUsage: UsageFields = {
  input: [["input_tokens"], ["cache_creation_input_tokens"], ["cache_read_input_tokens"]],
  output: [["output_tokens"]],
};

/** The usage that one event reports; empty when it reports none. Tokens from a cache count as input. */
export function readUsage(event: StreamEvent, path: readonly string[], fields: UsageFields): Usage {
  const sum = (places: readonly (readonly string[])[]): number | null => {
    const told = places.map((place) => amountAt(event, ...path, ...place)).filter((amount) => amount !== null);
    return told.length === 0 ? null : countOf(told.reduce((total, amount) => total + amount, 0));
  };
  const inputTokens = sum(fields.input);
  const outputTokens = sum(fields.output);
  const costUsd = fields.cost === undefined ? null : amountAt(event, ...path, ...fields.cost);
  return {
    ...(inputTokens !== null && { inputTokens }),
    ...(outputTokens !== null && { outputTokens }),
    ...(costUsd !== null && { costUsd }),
  };
}

/** A whole number that can be recorded, whatever a tool reports. */
const countOf = (amount: number): number => Math.min(Math.round(amount), Number.MAX_SAFE_INTEGER);

/** The sum of two reports; a field that neither has is left out. */
export function addUsage(one: Usage, other: Usage): Usage {
  const sum: Usage = { ...one };
  for (const field of ["inputTokens", "outputTokens", "costUsd"] as const) {
    const amount = other[field];
    if (amount !== undefined) sum[field] = Math.min((sum[field] ?? 0) + amount, Number.MAX_SAFE_INTEGER);
  }
  return sum;
}

/** All tokens of a report, for progress; nothing when it has none. */
export const tokensOf = ({ inputTokens, outputTokens }: Usage): Pick<WorkProgress, "tokens"> =>
  inputTokens === undefined && outputTokens === undefined ? {} : { tokens: (inputTokens ?? 0) + (outputTokens ?? 0) };
