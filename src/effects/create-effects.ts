import type { Answer, EffectInput, EffectName } from "../model/effect.ts";
import type { Ports } from "../ports.ts";
import { chooseTask } from "./choose-task.ts";
import { confirmCompletion } from "./confirm-completion.ts";
import { delegate } from "./delegate.ts";
import { insertFix } from "./insert-fix.ts";
import { readFailure } from "./read-failure.ts";
import { recordPass } from "./record-pass.ts";
import { verify } from "./verify.ts";
import { withMemory } from "./with-memory.ts";

/** How every effect is performed. */
export type Effects = {
  readonly [Name in EffectName]: (input: EffectInput<Name>, signal: AbortSignal) => Promise<Answer<Name>>;
};

/** The effects over ports: what fulfils the requests of a machine. */
export function createEffects(ports: Ports): Effects {
  const whole = withMemory(ports);
  return {
    chooseTask: () => chooseTask(whole),
    delegate: (input, signal) => delegate(whole, input, signal),
    verify: (input, signal) => verify(whole, input, signal),
    readFailure: (input) => readFailure(whole, input),
    insertFix: (input) => insertFix(whole, input),
    recordPass: (input) => recordPass(whole, input),
    confirmCompletion: () => confirmCompletion(whole),
  };
}
