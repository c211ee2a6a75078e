import { closeSync, fstatSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkWritten } from "../../../src/adapters/processes/check-written.ts";
import { temporaryFolder } from "../../support/folder.ts";

function open(path: string): number {
  const fd = openSync(path, "a");
  onTestFinished(() => closeSync(fd));
  return fd;
}

describe("checkWritten", () => {
  it("accepts a file that can be written", () => {
    const path = join(temporaryFolder(), "out");
    writeFileSync(path, "said");
    const fd = open(path);
    checkWritten(fd, "agent", { failed: true });
    expect([readFileSync(path, "utf8"), fstatSync(fd).size]).toEqual(["said", 4]);
  });

  it("reports the program, the path and the reason if the disk is full", () => {
    expect(() => checkWritten(open("/dev/full"), "agent", { failed: false })).toThrow(
      expect.objectContaining({
        blame: "environment",
        code: "output-not-written",
        message: expect.stringMatching(
          /^Cannot store the output of `agent` in `\/dev\/full` \(.*ENOSPC.*\), expected free space/,
        ),
        hint: expect.stringContaining("Free space"),
        cause: expect.objectContaining({ code: "ENOSPC" }),
      }),
    );
  });

  it("reports it without a path if that is unknown", () => {
    const message = expect.stringMatching(/^Cannot store the output of `agent` \(.*EBADF/);
    expect(() => checkWritten(1_000_000, "agent", { failed: false })).toThrow(expect.objectContaining({ message }));
  });
});
