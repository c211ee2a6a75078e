import type { z } from "zod";
import { attemptEffects } from "./attempt-effects.ts";
import { InputError } from "./errors.ts";
import { interpreted, renderIssues } from "./parse-json.ts";
import { remedyEffects, runEffects } from "./run-effects.ts";
import { shippingEffects } from "./shipping-effects.ts";

/** All effects that a machine may request, with their inputs and answers. */
export const effects = { ...runEffects, ...attemptEffects, ...remedyEffects, ...shippingEffects } as const;

export type EffectName = keyof typeof effects;
export type EffectInput<Name extends EffectName> = z.infer<(typeof effects)[Name]["input"]>;
export type Answer<Name extends EffectName> = z.infer<(typeof effects)[Name]["answer"]>;
/**
 * Request of a machine to the outside. An answer belongs to the request with the same `key`; answers with other keys
 * are ignored.
 */
export type Effect = {
  [Name in EffectName]: { readonly name: Name; readonly key: EffectKey<Name>; readonly input: EffectInput<Name> };
}[EffectName];
export type AnsweredEffect = {
  readonly [Name in EffectName]: Extract<Effect, { readonly name: Name }> & { readonly answer: Answer<Name> };
}[EffectName];
/**
 * A key ends with the name of its effect. If the operator's first answer has no directive, the key of the second
 * question ends with `askAgain`.
 */
type EffectKey<Name extends EffectName> = `${string}/${Name extends "askOperator" ? Name | "askAgain" : Name}`;
/** Answer type for a key: exact if the type of the key names the effect, otherwise any answer. */
export type AnswerTo<Key extends string> = Key extends `${string}/${infer Name}`
  ? Name extends EffectName
    ? Answer<Name>
    : Name extends "askAgain"
      ? Answer<"askOperator">
      : Answer<EffectName>
  : Answer<EffectName>;

/**
 * Validate an answer.
 *
 * @throws {InputError} `answer-malformed`
 */
export function checkAnswer({ name, key }: Effect, answer: unknown): Answer<EffectName> {
  const parsed = effects[name].answer.safeParse(answer, interpreted);
  if (parsed.success) return parsed.data;
  throw new InputError(`Cannot take the answer to \`${key}\`, expected an answer to \`${name}\``, {
    code: "answer-malformed",
    hint: renderIssues(parsed.error),
    cause: parsed.error,
  });
}
