import type { Effect } from "../model/effect.ts";
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

/** Someone who has asked for an effect: it is answered, or told that there is no answer. */
interface Asker {
  send(
    event: { readonly type: "answer"; readonly answer: object } | { readonly type: "fail"; readonly error: unknown },
  ): void;
}

/** Performs what native actors ask for, one run for each set of effects. */
export interface Effects {
  /** Perform an effect, record what it answers, and tell it to whoever has asked. */
  ask(asked: Requested, asker: Asker): void;
  /** End an effect that nobody waits for any more. */
  leave(asker: Asker): void;
}

interface EffectOptions {
  /** That of the run (the defaults when not given). */
  readonly policy?: PolicyInput;
  /** Told what happens, once it is recorded. */
  readonly onEvent?: (event: RunEvent) => void;
}

/**
 * What fulfils the requests of machines that are run as actors of their own: every effect over ports, with the state of
 * the run in `attempts` (in memory when not given).
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
      // Charts come to rest first.
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
