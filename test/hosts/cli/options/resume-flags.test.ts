import { describe, expect, it } from "vitest";
import { readResumeFlags } from "../../../../src/hosts/cli/options/resume-flags.ts";

describe("readResumeFlags", () => {
  it("gives nothing when nothing was given", () => {
    expect(readResumeFlags({})).toEqual({});
  });

  it("takes guidance as it is", () => {
    const guidance = `Use\u001b[2J the parser\n${"x".repeat(3900)}`;
    expect(readResumeFlags({ guidance })).toEqual({ guidance });
  });

  it.each(["retry", "skip", "skip-task", "stop"])("takes the decision %s", (decision) => {
    expect(readResumeFlags({ decision })).toEqual({ decision });
  });

  it.each([
    [{ guidance: " " }, "Cannot use --guidance ` `, expected 1 to 4000 characters"],
    [{ guidance: "x".repeat(4001) }, "Cannot use --guidance of 4001 characters, expected 1 to 4000 characters"],
    [{ guidance: "x", decision: "skip" }, "Cannot use --guidance beside --decision, expected one of them"],
    [{ decision: "" }, "Cannot use --decision ``, expected one of retry, skip, skip-task, stop"],
  ])("refuses %j", (words, message) => {
    expect(() => readResumeFlags(words)).toThrow(expect.objectContaining({ code: "bad-option", message }));
  });

  it.each([
    ["skp", "Did you mean skip?"],
    ["Retry", "Did you mean retry?"],
    ["abandon", undefined],
  ])("names the decision that is nearest to %s", (decision, hint) => {
    expect(() => readResumeFlags({ decision })).toThrow(expect.objectContaining({ code: "bad-option", hint }));
  });
});
