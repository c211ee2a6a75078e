import { describe, expect, it } from "vitest";
import { readPlan } from "../../../src/markdown/document/plan-document.ts";
import { findNearMissMarkers } from "../../../src/markdown/lint/find-form-problems.ts";

const found = (title: string) => findNearMissMarkers(readPlan(`# Plan\n\n- [ ] ${title}\n`).tasks);

describe("findNearMissMarkers", () => {
  it.each([
    ["1.1 [verify] Run it", "verify", "VERIFY"],
    ["1.1 [Verify] Run it", "Verify", "VERIFY"],
    ["1.1 [VERIFIED] Run it", "VERIFIED", "VERIFY"],
    ["1.1 [VERIFICATION] Run it", "VERIFICATION", "VERIFY"],
    ["1.1 [VEIFY] Run it", "VEIFY", "VERIFY"],
    ["1.1 [p] Run it", "p", "P"],
    ["1.1 [red] Write a test", "red", "RED"],
    ["1.1 [GREN] Make it pass", "GREN", "GREEN"],
    ["1.1 [Finally] Clean up", "Finally", "FINALLY"],
    ["1.1 [P] [verify] Run it", "verify", "VERIFY"],
    ["1.1 [fix 1.0] Mend it", "fix 1.0", "FIX 1.0"],
    ["1.1 [FIX: 1.0] Mend it", "FIX: 1.0", "FIX 1.0"],
  ])("finds the misspelt marker in %s", (title, written, meant) => {
    expect(found(title)).toEqual([
      {
        rule: "near-miss-marker",
        severity: "warning",
        line: 3,
        message: `Task \`1.1\` has \`[${written}]\`, which is not a marker and changes nothing`,
        hint: `Write \`[${meant}]\` if that is meant.`,
      },
    ]);
  });

  it.each([
    ["2.2 Run everything [VERIFY]", "VERIFY", "VERIFY"],
    ["2.2 Run [verify] everything", "verify", "VERIFY"],
    ["2.2 Run everything [P]", "P", "P"],
    ["2.2 Mend it [FIX 2.1]", "FIX 2.1", "FIX 2.1"],
  ])("finds the marker inside the title of %s", (title, written, meant) => {
    expect(found(title)).toMatchObject([
      {
        message: `Task \`2.2\` has \`[${written}]\` inside its title, where it is not a marker and changes nothing`,
        hint: `Write \`[${meant}]\` right after the id, as in \`- [ ] 2.2 [${meant}] …\`, if the marker is meant.`,
      },
    ]);
  });

  it.each([
    "1.1 [VERIFY] Run it",
    "1.1 [P] [US1] Run it",
    "1.1 [FIX 1.0] Mend it",
    "1.1 [VERIFY:API] Ask it",
    "1.1 [BED] Make it",
    "1.1 [READ] Look",
    "1.1 Teach the parser `[VERIFY]`",
    "1.1 See [verify](docs/verify.md)",
    "1.1 See [verify][page]",
    "1.1 Write [docs] and [x]",
    "1.1 [FIX] Mend it",
  ])("finds nothing in %s", (title) => {
    expect(found(title)).toEqual([]);
  });
});
