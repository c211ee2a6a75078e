import { EnvironmentError } from "../../src/model/errors.ts";
import type { World } from "./world.ts";

export interface Life {
  readonly signal: AbortSignal;
  readonly died: Promise<never>;
  isDead(): boolean;
  step(place: string): void;
  through<Result>(place: string, call: () => Promise<Result>): Promise<Result>;
  interrupt(): void;
}

const killed = new Error("the coordinator was killed");

const tenYearsMs = 10 * 365 * 24 * 60 * 60_000;

export function createLife(world: World): Life {
  const random = world.chanceOf("faults");
  const interruption = new AbortController();
  let isDead = false;
  let die = (): void => {};
  const died = new Promise<never>((_, reject) => {
    die = () => reject(killed);
  });
  died.catch(() => {});
  const interrupt = (): void => {
    if (interruption.signal.aborted || isDead) return;
    world.count("abort");
    world.tell("is interrupted");
    interruption.abort(new Error("interrupted"));
  };
  const step = (place: string): void => {
    if (isDead) throw killed;
    const { kill, jump, abort } = world.rates;
    if (random.chance(kill)) {
      isDead = true;
      world.count("kill");
      world.tell(`is killed at ${place}`);
      die();
      throw killed;
    }
    if (random.chance(jump)) {
      const byMs = random.pick([tenYearsMs, -tenYearsMs, 3_600_000, -3_600_000]);
      world.count("jump");
      world.tell(`the wall clock is set by ${byMs / 3_600_000} h at ${place}`);
      world.clock.jump(byMs);
    }
    if (random.chance(abort)) interrupt();
  };
  return {
    signal: interruption.signal,
    died,
    isDead: () => isDead,
    step,
    through: async (place, call) => {
      step(place);
      if (random.chance(world.rates.refuse)) {
        world.count("refuse");
        world.tell(`${place} is refused`);
        throw new EnvironmentError(`Cannot perform ${place}: no space left`, { code: "file-refused" });
      }
      const result = await call();
      step(`the end of ${place}`);
      return result;
    },
    interrupt,
  };
}
