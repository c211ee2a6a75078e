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
const listeners = (): number => process.listenerCount("SIGXFSZ");

describe("checkWritten", () => {
  it("leaves a file that takes more as it is", () => {
    const path = join(temporaryFolder(), "out");
    writeFileSync(path, "said");
    const fd = open(path);
    const before = listeners();
    checkWritten(fd, "agent");
    expect([readFileSync(path, "utf8"), fstatSync(fd).size, listeners()]).toEqual(["said", 4, before]);
  });

  it("says what printed, where to, and why, when the disk is full", () => {
    const before = listeners();
    expect(() => checkWritten(open("/dev/full"), "agent")).toThrow(
      expect.objectContaining({
        blame: "environment",
        code: "output-not-written",
        message: expect.stringMatching(
          /^Cannot keep what `agent` prints in `\/dev\/full` \(.*ENOSPC.*\), expected room/,
        ),
        hint: expect.stringContaining("Make room"),
        cause: expect.objectContaining({ code: "ENOSPC" }),
      }),
    );
    expect(listeners()).toBe(before);
  });

  it("says so without a place where that cannot be told", () => {
    const message = expect.stringMatching(/^Cannot keep what `agent` prints \(.*EBADF/);
    expect(() => checkWritten(1_000_000, "agent")).toThrow(expect.objectContaining({ message }));
  });

  it("is not ended by a limit on the size of files while it looks", () => {
    let heard = 0;
    const before = listeners();
    const on = process.on.bind(process);
    process.on = ((name: string, listener: () => void) => {
      if (name === "SIGXFSZ") heard += 1;
      return on(name, listener);
    }) as typeof process.on;
    onTestFinished(() => {
      process.on = on;
    });
    checkWritten(open(join(temporaryFolder(), "out")), "agent");
    expect([heard, listeners()]).toEqual([1, before]);
  });
});
