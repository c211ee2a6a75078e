import type { z } from "zod";
import { attemptEffects } from "./attempt-effects.ts";
import { InputError } from "./errors.ts";
import { interpreted, tellIssues } from "./interpreted.ts";
import { remedyEffects, runEffects } from "./run-effects.ts";
import { shippingEffects } from "./shipping-effects.ts";

/** Everything a machine may ask the outside for: what goes in, and what it expects back. */
export const effects = { ...runEffects, ...attemptEffects, ...remedyEffects, ...shippingEffects } as const;

export type EffectName = keyof typeof effects;
export type EffectInput<Name extends EffectName> = z.infer<(typeof effects)[Name]["input"]>;
/** What an effect is answered with. */
export type Answer<Name extends EffectName> = z.infer<(typeof effects)[Name]["answer"]>;
/** A request of a machine to the outside. `key` names it: an answer under another key is ignored. */
export type Effect = {
  [Name in EffectName]: { readonly name: Name; readonly key: EffectKey<Name>; readonly input: EffectInput<Name> };
}[EffectName];
/** An effect with its answer. */
export type AnsweredEffect = {
  readonly [Name in EffectName]: Extract<Effect, { readonly name: Name }> & { readonly answer: Answer<Name> };
}[EffectName];
/** What the effect is about, and its name. An operator that has given no directive is asked again. */
type EffectKey<Name extends EffectName> = `${string}/${Name extends "askOperator" ? Name | "askAgain" : Name}`;
/** What the effect that a key names is answered with, where its type tells which; else what any is. */
export type AnswerTo<Key extends string> = Key extends `${string}/${infer Name}`
  ? Name extends EffectName
    ? Answer<Name>
    : Name extends "askAgain"
      ? Answer<"askOperator">
      : Answer<EffectName>
  : Answer<EffectName>;

/**
 * An answer, in the form that its effect has.
 *
 * @throws {InputError} `answer-malformed`
 */
export function checkAnswer({ name, key }: Effect, answer: unknown): Answer<EffectName> {
  const parsed = effects[name].answer.safeParse(answer, interpreted);
  if (parsed.success) return parsed.data;
  throw new InputError(`Cannot take the answer to \`${key}\`, expected one for \`${name}\``, {
    code: "answer-malformed",
    hint: tellIssues(parsed.error),
    cause: parsed.error,
  });
}
