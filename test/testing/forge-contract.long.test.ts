import { describe, expect, it } from "vitest";
import { fakeForge } from "../../src/testing/fake-forge.ts";
import type { ForgeScript } from "../../src/testing/forge-world.ts";
import { ways } from "../support/github-carriers.ts";
import { forgeContract, type OpenForge } from "./forge-contract.ts";

const inMemory: OpenForge = async (script) => {
  const forge = fakeForge(script);
  return { forge, world: forge.world };
};

describe.each([{ way: "a forge in memory", missing: false, reach: inMemory }, ...ways])(
  "a forge, by $way",
  ({ missing, reach }) => {
    it.skipIf(missing).each(forgeContract)("$name", ({ run }) => run(reach));
  },
);

describe("a forge in memory", () => {
  it("continues from the JSON state of another one", async () => {
    const signal = new AbortController().signal;
    const script: ForgeScript = { headOf: () => "h", checks: () => [{ id: "CI / test", runs: ["failed", "passed"] }] };
    const first = fakeForge({
      ...script,
      threads: [{ id: "T1", path: null, line: null, resolved: false, comments: [] }],
    });
    await first.open({ branch: "work", base: "main", title: "t", body: "b", draft: true }, signal);
    const looked = await first.look(1, signal);
    const job = looked.kind === "look" ? looked.look.checks[0]?.job : null;
    await first.rerun({ job: job ?? "", head: "h" }, signal);
    await first.answer({ number: 1, thread: "T1", text: "Done", marker: "<!-- m -->" }, signal);

    const second = fakeForge({ ...script, kept: JSON.parse(JSON.stringify(first.world.keep())) });
    expect(await second.look(1, signal)).toEqual(await first.look(1, signal));
    expect(await second.rerun({ job: job ?? "", head: "h" }, signal)).toEqual({ kind: "spent" });
    await second.answer({ number: 1, thread: "T1", text: "Done", marker: "<!-- m -->" }, signal);
    expect(second.world.keep()).toEqual(first.world.keep());
  });
});
