import { describe, expect, it } from "vitest";
import {
  type AgreedPlace,
  type Agreement,
  canonicalAgreement,
  differenceOf,
  doubtAbout,
  noAgreement,
  type WorkspaceOrigin,
} from "../../src/model/agreement.ts";

const agreed: Agreement = { verify: ["npm test", "make"], reality: ["./bug.sh"], options: { finalVerify: "true" } };

describe("differenceOf", () => {
  it("lists additions, but no removals", () => {
    expect(differenceOf(noAgreement, agreed)).toEqual([
      "Verify: npm test",
      "Verify: make",
      "Reality check: ./bug.sh",
      "finalVerify: true",
    ]);
    expect(differenceOf(agreed, { ...agreed, verify: ["make"], reality: [] })).toEqual([]);
  });

  it("shows the old value of an option next to the new one", () => {
    expect(differenceOf(agreed, { ...agreed, options: { finalVerify: "false" } })).toEqual([
      "finalVerify: false, instead of true",
    ]);
    expect(differenceOf(agreed, { ...agreed, options: {} })).toEqual(["finalVerify: (default), instead of true"]);
  });

  it("covers a command for one purpose, not for another", () => {
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

const [one, other] = [
  { inode: "1", born: "1000000" },
  { inode: "1", born: "2000000" },
];
const folder: WorkspaceOrigin = { head: null, roots: [], remotes: [], workspace: one, spec: one, unknown: null };
const repository: WorkspaceOrigin = { ...folder, head: "c", roots: ["a"] };
const at = (origin: WorkspaceOrigin, more: Partial<AgreedPlace> = {}): AgreedPlace => ({
  ...{ spec: "/w/s", workspace: "/w", origin },
  ...more,
});
const judge = (agreed: WorkspaceOrigin, here: WorkspaceOrigin) => doubtAbout(at(agreed), at(here));

describe("doubtAbout", () => {
  it.each<[string, WorkspaceOrigin, WorkspaceOrigin]>([
    ["the same folder", folder, folder],
    ["its first commit", folder, repository],
    [
      "a new clone",
      { ...repository, remotes: ["x"] },
      { ...repository, remotes: ["x"], workspace: other, spec: other },
    ],
    [
      "the same roots, in a file system without ids",
      { ...repository, workspace: null },
      { ...repository, workspace: null },
    ],
    ["more roots", repository, { ...repository, roots: ["a", "b"] }],
    ["fewer roots", { ...repository, roots: ["a", "b"] }, repository],
    ["more remotes", { ...repository, remotes: ["x"] }, { ...repository, remotes: ["y", "x"] }],
    ["a first remote", repository, { ...repository, remotes: ["y"] }],
  ])("has no doubt about %s", (_, agreed, here) => expect(judge(agreed, here)).toBeNull());

  const made = "made 1970-01-01T00:00:00.001Z";
  it.each<[string, WorkspaceOrigin, WorkspaceOrigin, string]>([
    ["another folder", folder, { ...folder, workspace: other }, `folder at this path: ${made}`],
    ["another folder of the spec", folder, { ...folder, spec: other }, `folder at this path: ${made}`],
    ["a folder without an id", folder, { ...folder, workspace: null }, `folder at this path: ${made}`],
    [
      "an id that was missing",
      { ...folder, workspace: null },
      folder,
      "folder at this path: made 1970-01-01T00:00:00.000Z",
    ],
    [
      "other roots",
      repository,
      { ...repository, roots: ["b"] },
      "repository at this path: no remote, begun with commit a",
    ],
    ["no commit", repository, folder, "repository at this path: no remote, begun with commit a"],
    [
      "another remote",
      { ...repository, remotes: ["x"] },
      { ...repository, remotes: ["y"] },
      "repository at this path: x, begun with commit a",
    ],
    [
      "the same roots in another folder without a remote",
      repository,
      { ...repository, workspace: other },
      "repository at this path: no remote, begun with commit a",
    ],
    [
      "a first remote in another folder",
      repository,
      { ...repository, remotes: ["y"], workspace: other },
      "repository at this path: no remote, begun with commit a",
    ],
  ])("treats %s as another place", (_, agreed, here, reason) =>
    expect(judge(agreed, here)).toEqual({ reason: `Agreed for another ${reason}`, isOther: true }),
  );

  it("also doubts a different path and an unknown origin", () => {
    expect(doubtAbout(at(folder, { spec: "/v" }), at(folder))?.reason).toBe("Agreed for another spec: /v");
    expect(doubtAbout(at(folder, { workspace: "/v" }), at(folder))?.reason).toBe("Agreed for another workspace: /v");
    const unknown = { ...folder, unknown: "no git" };
    for (const doubt of [judge(unknown, folder), judge(folder, unknown)]) {
      expect(doubt).toEqual({
        reason: "It is unknown whether this is the place you agreed to: no git",
        isOther: false,
      });
    }
  });
});
