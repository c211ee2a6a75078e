import { fromPromise, type PromiseActorLogic } from "xstate";
import type { EffectFunctions } from "../src/effects/create-effects.ts";
import type { Answer, EffectInput, EffectName } from "../src/model/effect.ts";
import { InputError } from "../src/model/errors.ts";

/** The typed place in a chart where an effect is plugged in. Without effects the place is there, but throws when run. */
export function socket<Name extends EffectName>(
  name: Name,
  effects: EffectFunctions | undefined,
): PromiseActorLogic<Answer<Name>, EffectInput<Name>> {
  return fromPromise<Answer<Name>, EffectInput<Name>>(({ input, signal }) => {
    if (effects === undefined) {
      throw new InputError(`Cannot perform effect \`${name}\`, expected the machine to be created with effects`, {
        code: "effect-not-provided",
        hint: "Pass those of `createEffects(ports)`, or provide an actor of that name",
      });
    }
    return effects[name](input, signal);
  });
}
