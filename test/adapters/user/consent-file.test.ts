import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConsent, writeConsent } from "../../../src/adapters/user/remembered-file.ts";
import type { AgreedPlace } from "../../../src/model/agreement.ts";
import { temporaryFolder } from "../../support/folder.ts";

const agreement = { verify: ["npm test"], reality: [], options: { executor: "claude" }, limits: { maxCost: null } };
const id = { inode: "1", born: "2" };
const place: AgreedPlace = {
  spec: "/spec",
  workspace: "/",
  origin: { head: null, roots: [], remotes: [], workspace: id, spec: id, unknown: null },
};
const read = { kind: "read", place, value: { agreement }, isAltered: false };

function altered(change: (content: Record<string, unknown>) => unknown): string {
  const folder = temporaryFolder();
  writeConsent(folder, place, agreement);
  const path = join(folder, "consent.json");
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, "utf8")))));
  return folder;
}

describe("consent recorded for a spec", () => {
  it("is read as it was written, and only its owner can read it", () => {
    const folder = temporaryFolder();
    expect(readConsent(folder)).toEqual({ kind: "absent" });
    writeConsent(folder, place, agreement);
    expect(readConsent(folder)).toMatchObject(read);
    expect(readdirSync(folder)).toEqual(["consent.json"]);
    expect(statSync(join(folder, "consent.json")).mode & 0o777).toBe(0o600);
    const { spec, at } = JSON.parse(readFileSync(join(folder, "consent.json"), "utf8"));
    expect([spec, new Date(at).toISOString()]).toEqual(["/spec", at]);
    writeConsent(folder, place, { ...agreement, verify: [] });
    expect(readConsent(folder)).toMatchObject({ value: { agreement: { verify: [] } } });
  });

  it("is the same in another layout, and altered if another program has changed it", () => {
    expect(readConsent(altered((content) => content))).toMatchObject(read);
    const more = altered((content) => ({ ...content, agreement: { ...agreement, verify: ["npm test", "make"] } }));
    expect(readConsent(more)).toMatchObject({ kind: "read", isAltered: true });
    expect(readConsent(altered(({ sum: _, ...content }) => content))).toMatchObject({ kind: "read", isAltered: true });
  });

  it.each<[string, (content: Record<string, unknown>) => unknown]>([
    ["lacks a part", ({ agreement: _, ...content }) => content],
    ["has a command that is not a text", (content) => ({ ...content, agreement: { ...agreement, verify: [1] } })],
    ["does not name its spec", ({ spec: _, ...content }) => content],
    ["does not name its origin", ({ origin: _, ...content }) => content],
    [
      "has an invalid creation time of a folder",
      (content) => {
        const born = { ...id, born: "yesterday" };
        return { ...content, origin: { ...place.origin, spec: born } };
      },
    ],
    ["has no time of consent", ({ at: _, ...content }) => content],
    ["is of an earlier version", ({ v: _, ...content }) => content],
    ["is a list", () => []],
  ])("cannot be read if the file %s", (_, change) => {
    expect(readConsent(altered(change))).toEqual({ kind: "unreadable", reason: "cannot be read" });
  });

  it("is recognized as of a later version, whatever that contains", () => {
    const reason = "was written by a later version of fixpoint";
    expect(readConsent(altered(() => ({ v: 3 })))).toEqual({ kind: "unreadable", reason });
  });

  it("cannot be read if the file is torn", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "consent.json"), '{"v":2,"spec":"/spec","agreement":{"verify":["npm');
    expect(readConsent(folder)).toEqual({ kind: "unreadable", reason: "cannot be read" });
  });

  it("replaces a link, and is refused with its path if it cannot be written", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "other"), "kept");
    symlinkSync("other", join(folder, "consent.json"));
    expect(readConsent(folder)).toMatchObject({ kind: "unreadable" });
    writeConsent(folder, place, agreement);
    expect([readConsent(folder), readFileSync(join(folder, "other"), "utf8")]).toMatchObject([read, "kept"]);
    const gone = join(folder, "gone");
    expect(() => writeConsent(gone, place, agreement)).toThrow(
      expect.objectContaining({
        code: "file-refused",
        message: expect.stringContaining(`Cannot write \`${join(gone, "consent.json")}\``),
      }),
    );
  });
});
