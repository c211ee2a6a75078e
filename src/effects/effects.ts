import type { Answer, Effect, EffectInput, EffectName } from "../model/effect.ts";
import { InputError } from "../model/errors.ts";
import type { RunEvent } from "../model/event.ts";
import { type PolicyInput, readPolicy } from "../model/policy.ts";
import { projectCheck } from "../model/project-check.ts";
import type { Answered } from "../model/record.ts";
import type { AttemptFacts } from "../ports/attempt-record.ts";
import type { Ports } from "../ports/ports.ts";
import { answerOfState, isAnsweredByState } from "../run/decide-next.ts";
import { eventsOf } from "../run/events-of.ts";
import { completeAnswer } from "../run/pull-request.ts";
import { effectFor, type Requested } from "../run/requests.ts";
import { createActs, performAct } from "./create-effects.ts";
import type { RunMemory } from "./run-memory.ts";
import { withMemory } from "./with-memory.ts";

/** Receives the answer or the error of an effect. */
interface Asker {
  send(
    event: { readonly type: "answer"; readonly answer: object } | { readonly type: "fail"; readonly error: unknown },
  ): void;
}

/** Performs effects requested by native actors, for one run. */
export interface Effects {
  /** Perform an effect, record its answer, and send it to the requester. */
  ask(asked: Requested, asker: Asker): void;
  /** Cancel an effect that no one waits for any more. */
  leave(asker: Asker): void;
}

interface EffectOptions {
  /** Policy of the run (defaults if not given). */
  readonly policy?: PolicyInput;
  /** Called with each event after it is recorded. */
  readonly onEvent?: (event: RunEvent) => void;
}

/**
 * Create the effects for machines that run as separate actors, over ports. The run state is in `attempts` (in memory if
 * not given).
 *
 * @throws {InputError} `port-missing`, `policy-invalid`
 */
export function createEffects(ports: Ports, { policy: given, onEvent = () => {} }: EffectOptions = {}): Effects {
  const policy = readPolicy(given);
  const whole = withMemory({ check: projectCheck(policy), ...ports });
  const memory = whole.attempts as RunMemory;
  const acts = createActs(whole);
  const record = (answered: Answered, facts?: AttemptFacts): void => {
    memory.record([answered], { facts, at: whole.clock.now() });
    for (const event of eventsOf(memory.state, policy, answered)) onEvent(event);
  };
  const underway = new Map<Asker, AbortController>();
  const answerTo = async (effect: Effect, requested: Requested, signal: AbortSignal): Promise<object> => {
    const { name, key } = effect;
    const { root = "", current = "" } = requested;
    if (isAnsweredByState(name)) {
      const answer = answerOfState(memory.state, policy, name, { root, current });
      record({ type: "answered", effect: name, key, answer } as Answered);
      return answer;
    }
    const { answer: given, facts } = await performAct(acts, effect, signal);
    const answer = completeAnswer(memory.state, policy, name, given);
    record({ type: "answered", effect: name, key, answer } as Answered, facts);
    return answer;
  };
  return {
    ask: (requested, asker) => {
      const controller = new AbortController();
      underway.set(asker, controller);
      // Begin after the charts have settled.
      const begun = Promise.resolve().then(() =>
        answerTo(effectFor(memory.state, policy, requested), requested, controller.signal),
      );
      void begun
        .then(
          (answer) => ({ type: "answer", answer }) as const,
          (error: unknown) => ({ type: "fail", error }) as const,
        )
        .then((event) => {
          if (underway.delete(asker)) asker.send(event);
        });
    },
    leave: (asker) => {
      underway.get(asker)?.abort();
      underway.delete(asker);
    },
  };
}

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
