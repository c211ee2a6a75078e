import { expect, it } from "vitest";
import * as z from "zod";
import { needsConsent, optionFacts } from "../../src/model/option-facts.ts";

it("says that all but limits and looks need consent, an option of no kind included", () => {
  const kinds = ["limit", "runs something", "weakens a check", "gives a right", "looks only"] as const;
  const needy = kinds.filter((kind) => needsConsent(z.string().register(optionFacts, { kind })));
  expect(needy).toEqual(["runs something", "weakens a check", "gives a right"]);
  expect([needsConsent(undefined), needsConsent(z.string())]).toEqual([true, true]);
});
