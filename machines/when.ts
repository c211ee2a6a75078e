/**
 * The way on from an effect or a machine that is done: to a state, if a guard lets it through. Guard and actions are
 * given what it was answered with.
 */
export const when = <Guard extends string, Target extends string, Action extends string = never>(
  guard: Guard,
  target: Target,
  ...actions: readonly Action[]
) => ({ guard: { type: guard, params: answer }, ...otherwise(target, ...actions) });

/** The way on when no guard lets it through. */
export const otherwise = <Target extends string, Action extends string = never>(
  target: Target,
  ...actions: readonly Action[]
) => ({ target, actions: actions.map((type) => ({ type, params: answer })) });

/** Guards have told what it is: whoever takes it takes the part of the answers that they let through. */
const answer = ({ event }: { readonly event: { readonly output: unknown } }): never => event.output as never;
