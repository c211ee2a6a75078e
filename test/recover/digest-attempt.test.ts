import { describe, expect, it } from "vitest";
import { fingerprint } from "../../src/model/fingerprint.ts";
import { digestAttempt } from "../../src/recover/digest-attempt.ts";

describe("digestAttempt", () => {
  it("takes what was not told for not known", () => {
    expect(digestAttempt({ error: "boom at a.ts:3" })).toEqual({
      kind: "task",
      error: "boom at a.ts:3",
      attemptedFix: "",
      status: "",
      fingerprint: fingerprint("boom at a.ts:9"),
      signs: { strategy: null, findings: [], admission: null, fileState: null, changed: null },
    });
  });

  it("keeps what was told", () => {
    const signs = { strategy: "refs", findings: ["x"], admission: "i'm not sure", fileState: "s", changed: false };
    expect(digestAttempt({ error: "e", fingerprint: "f", ...signs })).toMatchObject({ fingerprint: "f", signs });
  });

  it("cuts every text at 200 code points", () => {
    const long = "😀".repeat(300);
    const kept = "😀".repeat(200);
    const digest = digestAttempt({
      error: long,
      fingerprint: long,
      strategy: long,
      findings: [long],
      admission: long,
      fileState: long,
    });
    expect(digest).toMatchObject({
      error: kept,
      fingerprint: kept,
      signs: { strategy: kept, findings: [kept], admission: kept, fileState: kept },
    });
  });
});
