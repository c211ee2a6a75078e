import type * as fc from "fast-check";

export interface Order {
  turn(name: string): Promise<void>;
  drive<Result>(work: Promise<Result>, atRest: () => boolean): Promise<Result>;
}

const most = 5_000;

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
        if (turns > most) throw new Error("The run does not end");
        if (scheduler.count() > 0) await scheduler.waitNext(1);
        else if (!atRest()) throw new Error("The run waits for something that never happens");
      }
    },
  };
}

export const askedOrder: Order = {
  turn: async () => {},
  drive: (work) => work,
};

const rest = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
