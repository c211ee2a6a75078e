import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConsent, writeConsent } from "../../../src/adapters/user/consent-file.ts";
import { temporaryFolder } from "../../support/folder.ts";

const agreement = { verify: ["npm test"], reality: [], options: { executor: "claude" } };

describe("what was agreed to for a spec", () => {
  it("is read as it was written, and is for its owner's eyes", () => {
    const folder = temporaryFolder();
    expect(readConsent(folder)).toBeNull();
    writeConsent(folder, "/spec", agreement);
    expect(readConsent(folder)).toEqual(agreement);
    expect(readdirSync(folder)).toEqual(["consent.json"]);
    expect(statSync(join(folder, "consent.json")).mode & 0o777).toBe(0o600);
    const { spec, at } = JSON.parse(readFileSync(join(folder, "consent.json"), "utf8"));
    expect([spec, new Date(at).toISOString()]).toEqual(["/spec", at]);
    writeConsent(folder, "/spec", { ...agreement, verify: [] });
    expect(readConsent(folder)?.verify).toEqual([]);
  });

  it.each([
    ["is torn", '{"spec":"/spec","agreement":{"verify":["npm'],
    ["lacks a part", JSON.stringify({ spec: "/spec", at: "2026-01-01", agreement: { verify: [], reality: [] } })],
    [
      "has something else for a command",
      JSON.stringify({ spec: "", at: "", agreement: { ...agreement, verify: [1] } }),
    ],
    ["does not say of which spec", JSON.stringify({ at: "", agreement })],
    ["does not say when", JSON.stringify({ spec: "", agreement })],
  ])("is nothing where the file %s", (_, content) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "consent.json"), content);
    expect(readConsent(folder)).toBeNull();
  });

  it("takes the place of a link, and is refused with its path where it cannot be written", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "other"), "kept");
    symlinkSync("other", join(folder, "consent.json"));
    writeConsent(folder, "/spec", agreement);
    expect([readConsent(folder), readFileSync(join(folder, "other"), "utf8")]).toEqual([agreement, "kept"]);
    const gone = join(folder, "gone");
    expect(() => writeConsent(gone, "/spec", agreement)).toThrow(
      expect.objectContaining({
        code: "file-refused",
        message: expect.stringContaining(`Cannot write \`${join(gone, "consent.json")}\``),
      }),
    );
  });
});
