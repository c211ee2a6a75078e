import { expect, it } from "vitest";
import { createStopwatch } from "../../src/effects/stopwatch.ts";

it("the working time of a run stands still from the first pause that begins to the last that ends", () => {
  let elapsed = 100;
  const watch = createStopwatch(() => elapsed);
  const at = (ms: number): number => {
    elapsed = ms;
    return watch.workingMs();
  };
  expect(at(150)).toBe(150);
  const first = watch.pause();
  expect(at(250)).toBe(150);
  const second = watch.pause();
  expect(at(300)).toBe(150);
  first();
  expect(at(400)).toBe(150);
  second();
  expect(at(450)).toBe(200);
  const third = watch.pause();
  elapsed = 500;
  third();
  expect(at(501)).toBe(201);
});
