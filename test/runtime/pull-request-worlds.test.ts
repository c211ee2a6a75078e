import { describe, expect, it } from "vitest";
import { mutants } from "../campaigns/pull-requests/mutants.ts";
import { playSeed } from "../campaigns/pull-requests/random-world.ts";

describe("runs with a pull request, in worlds with people, slow and flaky checks, and kills", () => {
  it("keep what must hold", async () => {
    const wrong: string[] = [];
    for (let seed = 1; seed <= 60; seed++) {
      for (const each of (await playSeed(seed)).wrongs) wrong.push(`seed ${seed}: ${each}`);
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it.each(Object.entries(mutants))(
    "notice: %s",
    async (_, mutant) => {
      for (let seed = 1; seed <= 2000; seed++) if ((await playSeed(seed, mutant)).wrongs.length > 0) return;
      expect("nothing").toBe("noticed");
    },
    120_000,
  );
});
