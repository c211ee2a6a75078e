import { describe, expect, it } from "vitest";
import { playSeed } from "../campaigns/pull-requests/random-world.ts";

describe("runs with a pull request, in worlds with people, slow and flaky checks, and kills", () => {
  it("keep what must hold", async () => {
    const ends = new Map<string, number>();
    const wrong: string[] = [];
    for (let seed = 1; seed <= 150; seed++) {
      const { wrongs, played, world } = await playSeed(seed);
      for (const each of wrongs) wrong.push(`seed ${seed}: ${each}`);
      const o = played.outcome as { kind: string; reason?: string; denial?: { limit: string } } | null;
      const end = `${o?.kind} ${o?.reason ?? o?.denial?.limit ?? world.state}`.slice(0, 50);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    if (process.env["SHOW"]) console.log([...ends].sort((a, b) => b[1] - a[1]).slice(0, 30));
    expect(wrong.slice(0, 15)).toEqual([]);
  }, 120_000);
});
