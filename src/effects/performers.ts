import type { Answer, Effect, EffectInput, EffectName } from "../model/effect.ts";
import { InputError } from "../model/errors.ts";

/** A function for each effect, from input to answer. */
export type Performers = {
  readonly [Name in EffectName]: (
    input: EffectInput<Name>,
    effect: Extract<Effect, { readonly name: Name }>,
  ) => Answer<Name> | Promise<Answer<Name>>;
};

/**
 * Perform an effect by its name.
 *
 * @param performers Functions for the requested effects.
 * @throws {InputError} `effect-unperformed`
 */
export async function performEffect(
  performers: Readonly<Partial<Performers>>,
  effect: Effect,
): Promise<Answer<EffectName>> {
  const act = performers[effect.name] as Performers[typeof effect.name] | undefined;
  if (act === undefined) {
    throw new InputError(`Cannot perform the effect \`${effect.name}\`, expected a function of that name`, {
      code: "effect-unperformed",
      hint: "docs/xstate.md lists every effect with its answers",
    });
  }
  return act(effect.input as never, effect as never);
}
