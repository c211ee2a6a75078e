import { describe, expect, it } from "vitest";
import { mutants } from "../campaigns/pull-requests/mutants.ts";
import { playSeed } from "../campaigns/pull-requests/random-world.ts";

/** Numbers of worlds that notice what few do. All are looked through where these do not notice it any more. */
const telling = [163, 32, 22, 6];

describe("runs with a pull request, in worlds with people, slow and flaky checks, and kills", () => {
  it("keep what must hold", async () => {
    const wrong: string[] = [];
    for (let seed = 1; seed <= 60; seed++) {
      for (const each of (await playSeed(seed)).wrongs) wrong.push(`seed ${seed}: ${each}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(mutants))(
    "notice: %s",
    async (_, mutant) => {
      const all = Array.from({ length: 2000 }, (_, index) => index + 1);
      for (const seed of [...telling, ...all]) if ((await playSeed(seed, mutant)).wrongs.length > 0) return;
      expect("nothing").toBe("noticed");
    },
    120_000,
  );
});
