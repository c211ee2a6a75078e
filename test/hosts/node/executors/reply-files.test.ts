import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { outputPaths } from "../../../../src/adapters/processes/open-output.ts";
import { replyFiles } from "../../../../src/hosts/node/file-journal.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const key = "1.3#1";

describe("replyFiles", () => {
  it("leaves the output of a program in its file", async () => {
    const folder = temporaryFolder();
    const { stdout, message } = outputPaths(folder, key);
    writeFileSync(stdout, "a long reply");
    const files = replyFiles(folder);
    files.writeOutput(key, "a long reply");
    expect(existsSync(message)).toBe(false);
    expect(await files.readOutput(key)).toBe("a long reply");
  });

  it("never overwrites a stream that contains more than the message", async () => {
    const folder = temporaryFolder();
    const { stdout, message } = outputPaths(folder, key);
    writeFileSync(stdout, '{"type":"result"}');
    const files = replyFiles(folder);
    files.writeOutput(key, "a long reply");
    expect([readFileSync(stdout, "utf8"), readFileSync(message, "utf8")]).toEqual([
      '{"type":"result"}',
      "a long reply",
    ]);
    expect(await files.readOutput(key)).toBe("a long reply");
  });

  it("writes the reply of a function into a new folder", async () => {
    const folder = join(temporaryFolder(), "run-1", "out");
    const files = replyFiles(folder);
    files.writeOutput(key, "first");
    files.writeOutput(key, "second");
    expect(await files.readOutput(key)).toBe("second");
  });

  it("reports what cannot be written", () => {
    const folder = temporaryFolder();
    mkdirSync(outputPaths(folder, key).message);
    expect(() => replyFiles(folder).writeOutput(key, "x")).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^(?:file-refused|output-unreadable)$/) }),
    );
  });
});
