/**
 * The way on from an effect or a machine that is done: to a state, if a guard lets it through. Guard and actions are
 * given what it was answered with.
 */
export const when = <Guard extends string, Target extends string, const Actions extends readonly string[]>(
  guard: Guard,
  target: Target,
  ...actions: Actions
) => ({ guard: { type: guard, params: answer }, ...otherwise(target, ...actions) });

/** The way on when no guard lets it through. */
export const otherwise = <Target extends string, const Actions extends readonly string[]>(
  target: Target,
  ...actions: Actions
) => ({ target, actions: actions.map((type) => ({ type, params: answer })) as GivenAnswer<Actions> });

/** Actions that are given the answer, one by one: as one type they would be more than TypeScript compares. */
type GivenAnswer<Actions extends readonly string[]> = {
  -readonly [Index in keyof Actions]: { type: Actions[Index]; params: typeof answer };
};

/** Guards have told what it is: whoever takes it takes the part of the answers that they let through. */
const answer = ({ event }: { readonly event: { readonly output: unknown } }): never => event.output as never;

/** Guards that let an answer or an outcome of their own name through. */
export const answers = <Kind extends string>(...kinds: readonly Kind[]) =>
  Object.fromEntries(
    kinds.map((kind) => [kind, (_: unknown, given: { readonly kind: string }) => given.kind === kind]),
  ) as Record<Kind, (_: unknown, given: { readonly kind: string }) => boolean>;
