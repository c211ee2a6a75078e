import type { StatelyMessage } from "../../../runtime/stately-message.ts";

/** How many messages are kept besides those that announce an actor. */
const most = 1000;

/** Messages for viewers that connect later: all that announce an actor, and the last of the others. */
export interface KeptMessages {
  add(message: StatelyMessage): void;
  /** In the order in which they were told. */
  all(): StatelyMessage[];
}

export function keepMessages(): KeptMessages {
  let count = 0;
  const actors: { readonly at: number; readonly message: StatelyMessage }[] = [];
  const others: typeof actors = [];
  return {
    add: (message) => {
      (message.type === "@xstate.actor" ? actors : others).push({ at: count++, message });
      if (others.length > most) others.shift();
    },
    all: () => [...actors, ...others].sort((one, other) => one.at - other.at).map(({ message }) => message),
  };
}
