import type { Effects } from "../src/effects/effects.ts";
import type { EffectName } from "../src/model/effect.ts";
import { type EffectLogic, effect } from "./effect.ts";
import type { Tag } from "./machine-type.ts";

/** A transition, which matches every answer if `kinds` and `guard` are missing. */
interface Way<Action extends string, Guard extends string> {
  readonly kinds?: readonly string[];
  readonly guard?: Guard;
  readonly target: string;
  readonly action?: Action | undefined;
}

/** Makes a transition for answers of a kind, such as `on("denied", "exhausted", "end")`. */
export const on = <const Action extends string = never>(
  kind: string | readonly string[],
  target: string,
  action?: Action,
): Way<Action, never> => ({ kinds: typeof kind === "string" ? [kind] : kind, target, action });

export const when = <const Guard extends string, const Action extends string = never>(
  guard: Guard,
  target: string,
  action?: Action,
): Way<Action, Guard> => ({ guard, target, action });

/** Makes a transition that is taken if no earlier transition of the list is taken. */
export const to = <const Action extends string = never>(target: string, action?: Action): Way<Action, never> => ({
  target,
  action,
});

const place = ({ context }: { readonly context: object }): object => {
  const { root, current } = context as { readonly root?: string; readonly current?: string };
  return { root, current };
};

export const ask = <const Name extends EffectName, const Action extends string, const Guard extends string>(
  name: Name,
  ...ways: readonly Way<Action, Guard>[]
) => invoke(name, place, ...ways);

export const invoke = <const Name extends string, Input, const Action extends string, const Guard extends string>(
  name: Name,
  input: Input,
  ...ways: readonly Way<Action, Guard>[]
) => ({
  tags: waits[name] ?? ("busy" as const),
  invoke: { id: name, src: name, input, onDone: ways.map(wayOf<Action, Guard>) },
});

/** Tags of waiting states; all other states have the tag `busy`. */
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
  // Reenter the state: otherwise a transition from a state to itself would not request the effect again.
  reenter: true,
  ...(action !== undefined && { actions: action }),
});

export const ends = <const Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, { type: "final", tags: "settled" }])) as Record<
    Name,
    { type: "final"; tags: "settled" }
  >;

export const sockets = <const Name extends EffectName>(effects: Effects | undefined, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, effect(name, effects)])) as Record<Name, EffectLogic>;

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
 * Returns the name that transitions match: the first of `denied` (if there is a `denial`), `directive.strategy`,
 * `decision`, `effect`, a name from `marks`, and `kind`.
 */
function kindOf(answer: Kinded): string {
  const { kind, directive, decision, effect: again, denial } = answer;
  if (denial !== undefined) return "denied";
  return directive?.strategy ?? decision ?? again ?? marks.find((mark) => answer[mark] === true) ?? kind;
}

export const answerIn = (event: object): unknown => (event as { readonly output?: unknown }).output;

export const nameOf = ({ type }: { readonly type: string }): string => type.slice(type.lastIndexOf(".") + 1);
