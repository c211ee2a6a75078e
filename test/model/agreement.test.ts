import { describe, expect, it } from "vitest";
import { type Agreement, canonicalAgreement, differenceOf, noAgreement } from "../../src/model/agreement.ts";

const agreed: Agreement = { verify: ["npm test", "make"], reality: ["./bug.sh"], options: { finalVerify: "true" } };

describe("differenceOf", () => {
  it("lists what is new, and not what is gone", () => {
    expect(differenceOf(noAgreement, agreed)).toEqual([
      "Verify: npm test",
      "Verify: make",
      "Reality check: ./bug.sh",
      "finalVerify: true",
    ]);
    expect(differenceOf(agreed, { ...agreed, verify: ["make"], reality: [] })).toEqual([]);
  });

  it("shows the old value of an option beside the new one", () => {
    expect(differenceOf(agreed, { ...agreed, options: { finalVerify: "false" } })).toEqual([
      "finalVerify: false, instead of true",
    ]);
    expect(differenceOf(agreed, { ...agreed, options: {} })).toEqual(["finalVerify: (default), instead of true"]);
  });

  it("holds a command for one purpose, not for another", () => {
    expect(differenceOf(agreed, { ...agreed, reality: ["./bug.sh", "npm test"] })).toEqual(["Reality check: npm test"]);
  });
});

describe("canonicalAgreement", () => {
  it("is the same for equal agreements, whatever the order", () => {
    const options = { commit: "true", finalVerify: "true" };
    const turned = { finalVerify: "true", commit: "true" };
    expect(canonicalAgreement({ verify: ["a", "b"], reality: [], options })).toBe(
      canonicalAgreement({ verify: ["b", "a"], reality: [], options: turned }),
    );
    expect(canonicalAgreement({ verify: ["a"], reality: [], options: {} })).not.toBe(
      canonicalAgreement({ verify: [], reality: ["a"], options: {} }),
    );
  });
});
