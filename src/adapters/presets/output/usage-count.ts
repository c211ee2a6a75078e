import type { Usage } from "../../../model/reply.ts";
import type { WorkProgress } from "../../../ports/executor.ts";
import { amountAt, type StreamEvent } from "./stream-event.ts";

/** Names of the fields of one report of usage. Several that are told are added up. */
export interface UsageFields {
  readonly input: readonly (readonly string[])[];
  readonly output: readonly (readonly string[])[];
  readonly cost?: readonly string[];
}

/** Tokens as the API of Anthropic counts them: what came from a cache is not in `input_tokens`. */
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

/** A whole number that can be recorded, whatever a tool says. */
const countOf = (amount: number): number => Math.min(Math.round(amount), Number.MAX_SAFE_INTEGER);

/** Two reports together; a field that neither has stays untold. */
export function addUsage(one: Usage, other: Usage): Usage {
  const sum: Usage = { ...one };
  for (const field of ["inputTokens", "outputTokens", "costUsd"] as const) {
    const amount = other[field];
    if (amount !== undefined) sum[field] = Math.min((sum[field] ?? 0) + amount, Number.MAX_SAFE_INTEGER);
  }
  return sum;
}

/** All tokens of a report, as progress tells them; nothing where it tells none. */
export const tokensOf = ({ inputTokens, outputTokens }: Usage): Pick<WorkProgress, "tokens"> =>
  inputTokens === undefined && outputTokens === undefined ? {} : { tokens: (inputTokens ?? 0) + (outputTokens ?? 0) };
