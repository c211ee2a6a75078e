import { describe, expect, it } from "vitest";
import { checkArtifactName } from "../../src/model/artifact-name.ts";
import { InputError } from "../../src/model/errors.ts";

describe("checkArtifactName", () => {
  it.each(["design.md", "requirements.md", "tasks.md", "API_v1.2-draft.json", "README"])("allows %s", (name) => {
    expect(() => checkArtifactName(name)).not.toThrow();
  });

  it.each([
    "",
    ".",
    "..",
    ".env",
    "../design.md",
    "a/b",
    "a\\b",
    "/etc/hosts",
    "C:x",
    "a\0",
    "a b",
    "a\n",
    "x".repeat(65),
  ])("refuses %j", (name) => {
    expect(() => checkArtifactName(name)).toThrow(InputError);
    expect(() => checkArtifactName(name)).toThrow(
      expect.objectContaining({
        message: `Cannot read artifact \`${name}\`, expected the name of a file`,
        code: "bad-artifact-name",
        hint: expect.stringContaining("`design.md`"),
      }),
    );
  });
});
