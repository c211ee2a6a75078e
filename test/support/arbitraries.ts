import fc from "fast-check";
import type { Fate } from "./play-task.ts";

export const fates: fc.Arbitrary<Fate[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Fate>("failed") },
    { weight: 2, arbitrary: fc.constant<Fate>("rejected") },
    { weight: 3, arbitrary: fc.constant<Fate>("accepted") },
  ),
  { maxLength: 80 },
);
