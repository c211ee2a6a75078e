import { closeSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openInput, openOutput } from "../../../src/adapters/processes/open-output.ts";
import { temporaryFolder } from "../../support/folder.ts";

function stubTemporaryFolder(path: string): void {
  vi.stubEnv("TMPDIR", path);
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe("openInput", () => {
  it("leaves the descriptor at the start of the text, and no file", () => {
    const folder = temporaryFolder();
    stubTemporaryFolder(folder);
    const fd = openInput("ünï\0code");
    expect(readFileSync(fd, "utf8")).toBe("ünï\0code");
    closeSync(fd);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe.each([
  ["openInput", () => openInput("x")],
  ["openOutput", () => openOutput()],
])("%s", (_, open) => {
  it("names the temporary folder if there is no space for a file", () => {
    stubTemporaryFolder("/no/such/folder");
    expect(open).toThrow(
      expect.objectContaining({
        code: "output-not-opened",
        blame: "environment",
        message: expect.stringMatching(/`\/no\/such\/folder` \(.*ENOENT.*\), expected free space for a file$/),
      }),
    );
  });
});
