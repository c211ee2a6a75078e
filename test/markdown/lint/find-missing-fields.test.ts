import { describe, expect, it } from "vitest";
import { findMissingFields } from "../../../src/markdown/lint/find-missing-fields.ts";
import { readPlan } from "../../../src/markdown/read-plan.ts";

describe("findMissingFields", () => {
  it("asks verification tasks for all but Files", () => {
    const text = "- [ ] 1.1 [VERIFY] One\n  - **Do**: a\n  - **Commit**: b\n";
    expect(findMissingFields(readPlan(text)).map(({ message }) => message)).toEqual([
      "Task `1.1` has no Done when, Verify",
    ]);
  });
});
