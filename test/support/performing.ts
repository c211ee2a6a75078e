import { type Acts, createActs, type EffectFunctions } from "../../src/effects/create-effects.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { Answered } from "../../src/model/record.ts";
import type { Ports } from "../../src/ports/ports.ts";

export function performing(ports: Ports): EffectFunctions {
  const whole = withMemory(ports);
  const acts = Object.entries(createActs(whole)).map(([name, act]) => [
    name,
    async (input: { readonly key: string }, signal: AbortSignal) => {
      const { answer, facts } = await (act as Acts["delegate"])(input as never, signal);
      const answered = { type: "answered", effect: name, key: input.key, answer } as Answered;
      whole.attempts.record([answered], { facts, at: whole.clock.now() });
      return answer;
    },
  ]);
  return Object.fromEntries(acts) as EffectFunctions;
}
