import type { Effects } from "../src/effects/effects.ts";
import type { EffectName } from "../src/model/effect.ts";
import { type EffectLogic, effect } from "./effect.ts";
import type { Tag } from "./machine-type.ts";

/** A transition after an answer of these kinds, or if a guard is true; after any answer if neither is given. */
interface Way<Action extends string, Guard extends string> {
  readonly kinds?: readonly string[];
  readonly guard?: Guard;
  readonly target: string;
  /** Stores part of the answer. */
  readonly action?: Action | undefined;
}

/** The transition for answers of a kind: `on("denied", "exhausted", "end")`. */
export const on = <const Action extends string = never>(
  kind: string | readonly string[],
  target: string,
  action?: Action,
): Way<Action, never> => ({ kinds: typeof kind === "string" ? [kind] : kind, target, action });

/** The transition if a guard of the chart is true. */
export const when = <const Guard extends string, const Action extends string = never>(
  guard: Guard,
  target: string,
  action?: Action,
): Way<Action, Guard> => ({ guard, target, action });

/** The transition for all other answers. */
export const to = <const Action extends string = never>(target: string, action?: Action): Way<Action, never> => ({
  target,
  action,
});

/** The part of a chart's context that goes into each request. */
const place = ({ context }: { readonly context: object }): object => {
  const { root, current } = context as { readonly root?: string; readonly current?: string };
  return { root, current };
};

/** A state that requests an effect, and selects the next state by its answer. */
export const ask = <const Name extends EffectName, const Action extends string, const Guard extends string>(
  name: Name,
  ...ways: readonly Way<Action, Guard>[]
) => invoke(name, place, ...ways);

/** A state that runs an effect or a machine, and selects the next state by its result. */
export const invoke = <const Name extends string, Input, const Action extends string, const Guard extends string>(
  name: Name,
  input: Input,
  ...ways: readonly Way<Action, Guard>[]
) => ({
  tags: waits[name] ?? ("busy" as const),
  invoke: { id: name, src: name, input, onDone: ways.map(wayOf<Action, Guard>) },
});

/** Tags of states that wait; all other states are `busy`. */
const waits: Readonly<Record<string, Tag>> = {
  wait: "waiting",
  awaitChange: "waiting",
  awaitTime: "waiting",
  askPerson: "waitingForPerson",
};

const wayOf = <Action extends string, Guard extends string>({ kinds, guard, target, action }: Way<Action, Guard>) => ({
  ...(kinds !== undefined && { guard: { type: "is" as const, params: { kinds } } }),
  ...(guard !== undefined && { guard }),
  target,
  // Without this, a transition to the same state would not request its effect again.
  reenter: true,
  ...(action !== undefined && { actions: action }),
});

/** Final states of a machine. */
export const ends = <const Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, { type: "final", tags: "settled" }])) as Record<
    Name,
    { type: "final"; tags: "settled" }
  >;

/** The effects that a chart requests. */
export const sockets = <const Name extends EffectName>(effects: Effects | undefined, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, effect(name, effects)])) as Record<Name, EffectLogic>;

/** Whether an answer has one of the given kinds. */
export const is = ({ event }: { readonly event: object }, { kinds }: { readonly kinds: readonly string[] }): boolean =>
  kinds.includes(kindOf((event as { readonly output: Kinded }).output));

interface Kinded extends Partial<Readonly<Record<(typeof marks)[number], unknown>>> {
  readonly kind: string;
  readonly directive?: { readonly strategy: string };
  readonly decision?: string;
  readonly effect?: string;
  readonly denial?: object;
}

const marks = ["reviewDue", "withheld", "fallback", "repeated", "ships", "known", "parked"] as const;

/**
 * The name that transitions match: `denied`, or the answer's directive, decision, effect to repeat or mark, whichever
 * it has first; otherwise, its `kind`.
 */
function kindOf(answer: Kinded): string {
  const { kind, directive, decision, effect: again, denial } = answer;
  if (denial !== undefined) return "denied";
  return directive?.strategy ?? decision ?? again ?? marks.find((mark) => answer[mark] === true) ?? kind;
}

export const answerIn = (event: object): unknown => (event as { readonly output?: unknown }).output;

/** The final state that ended a machine. */
export const nameOf = ({ type }: { readonly type: string }): string => type.slice(type.lastIndexOf(".") + 1);
