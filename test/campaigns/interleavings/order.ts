import type * as fc from "fast-check";

/** Chooses the order in which everything happens that has to wait for something outside. */
export interface Order {
  /** Resolves when it is the turn of what is named. */
  turn(name: string): Promise<void>;
  /**
   * Let things happen one by one until the work has settled.
   *
   * @param atRest Called when nothing is left that could happen. Answers whether it has set something going.
   * @throws when the work never settles
   */
  drive<Result>(work: Promise<Result>, atRest: () => boolean): Promise<Result>;
}

/** How many turns a work may take: one that runs in a circle takes more. */
const most = 5_000;

/** Any order, as the scheduler chooses. */
export function anyOrder(scheduler: fc.Scheduler): Order {
  return {
    turn: (name) => scheduler.schedule(Promise.resolve(), name),
    drive: async (work, atRest) => {
      let settled = false;
      const note = (): void => {
        settled = true;
      };
      work.then(note, note);
      for (let turns = 0; ; turns++) {
        await rest();
        if (settled) return work;
        if (turns > most) throw new Error("The run comes to no end");
        if (scheduler.count() > 0) await scheduler.waitNext(1);
        else if (!atRest()) throw new Error("The run waits for something that never happens");
      }
    },
  };
}

/** Everything happens at once, in the order in which it was asked for. */
export const askedOrder: Order = {
  turn: async () => {},
  drive: (work) => work,
};

/** Lets everything happen that waits for nothing outside. */
const rest = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
