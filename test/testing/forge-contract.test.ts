import { describe, it } from "vitest";
import { fakeForge } from "../../src/testing/fake-forge.ts";
import { forgeContract, type OpenForge } from "../../src/testing/forge-contract.ts";
import { ways } from "../support/github-carriers.ts";

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
