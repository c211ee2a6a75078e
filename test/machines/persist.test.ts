import { describe, expect, it } from "vitest";
import { effects } from "../../src/model/effect.ts";
import { shippingEffects } from "../../src/model/shipping-effects.ts";
import { type Left, type Life, live, lives, machines, worldOf } from "../support/native-lives.ts";

/** The undisturbed run of a life, and every moment at which it could be left. */
async function whole(life: Life) {
  const moments = new Map<string, Left>();
  const end = await live(life, worldOf(life), { onMoment: (left) => moments.set(left.at, left) });
  return { ...end, moments: [...moments.values()] };
}

const told = await Promise.all(lives.map(async (life) => ({ ...life, life, end: await whole(life) })));

describe("an actor that was persisted", () => {
  // Pull requests are brought along by the step function alone: no native life of one is tried here.
  it("is left in every state that waits, and at every effect, but those of a pull request", () => {
    const places = told.flatMap(({ end }) => end.moments.map(({ at }) => at)).join(" ");
    const others = Object.keys(effects).filter((name) => !(name in shippingEffects));
    for (const name of others) expect(places).toContain(`${name}!`);
    const states = Object.values(machines).flatMap((create) => Object.values(create().root.states));
    const waits = states.filter(({ invoke, key }) => invoke.length > 0 && key !== "shipping");
    const waiting = waits.map(({ key }) => key);
    expect(waiting.length).toBeGreaterThan(20);
    for (const key of waiting) expect(places).toMatch(new RegExp(`\\b${key}\\b`));
  });

  it.each(told)("goes on to the same end with the records of its run: $name", async ({ life, end }) => {
    for (const left of end.moments) {
      const { outcome, documents } = await live(life, worldOf(life, left), { snapshot: left.persisted });
      expect({ at: left.at, outcome, documents }).toEqual({
        at: left.at,
        outcome: end.outcome,
        documents: end.documents,
      });
    }
  });

  it.each(told)("goes on with the state of its run as well: $name", async ({ life, end }) => {
    for (const left of end.moments) {
      const { documents, known } = left;
      const state = JSON.parse(JSON.stringify(worldOf(life, left).memory.state));
      const world = worldOf(life, { documents, known, state });
      expect({ at: left.at, ...(await live(life, world, { snapshot: left.persisted })) }).toMatchObject({
        at: left.at,
        outcome: end.outcome,
        documents: end.documents,
      });
    }
  });

  it.each(told)(
    "is refused at once where there are none to go on from, or needs none: $name",
    async ({ life, end }) => {
      for (const { at, documents, persisted } of end.moments) {
        const world = worldOf(life, { documents });
        const ended = await live(life, world, { snapshot: persisted }).catch((error: unknown) => error);
        const kind = typeof ended === "object" && ended !== null && "code" in ended ? ended : "ended";
        if (kind === "ended") continue;
        expect({ at, kind, records: world.records }).toMatchObject({
          kind: { code: "memory-missing", blame: "input", hint: expect.stringContaining("createRunMemory({ store })") },
          // Only when the logs of a batch are merged does it show that one has passed of whom nobody knows.
          ...(life.machine !== "batch" && { records: [] }),
        });
      }
    },
  );

  it("says which attempt it does not know", async () => {
    const { life, end } = told[0] as (typeof told)[number];
    const { persisted, documents } = end.moments.find(({ at }) => at.includes("verify!")) as Left;
    const begun = live(life, worldOf(life, { documents }), { snapshot: persisted });
    await expect(begun).rejects.toMatchObject({
      message: "Cannot go on with `1.1#1/verify`, expected a memory that knows 1.1#1",
    });
  });
});
