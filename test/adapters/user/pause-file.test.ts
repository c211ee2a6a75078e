import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pauseFile } from "../../../src/adapters/user/pause-file.ts";
import { EnvironmentError } from "../../../src/model/errors.ts";
import { temporaryFolder } from "../../support/folder.ts";

describe("pauseFile", () => {
  it("tells whether it is paused, and resuming whether it was", () => {
    const pause = pauseFile(join(temporaryFolder(), ".fixpoint"));
    expect(pause.isPaused()).toBe(false);
    expect(pause.resume()).toBe(false);
    pause.pause();
    expect(pause.isPaused()).toBe(true);
    expect(pause.resume()).toBe(true);
    expect(pause.isPaused()).toBe(false);
    expect(pause.resume()).toBe(false);
  });

  it("makes no difference between one wish and several", () => {
    const pause = pauseFile(join(temporaryFolder(), ".fixpoint"));
    pause.pause();
    pause.pause();
    expect(pause.resume()).toBe(true);
    expect(pause.isPaused()).toBe(false);
  });

  it("makes the folder of run data, which keeps itself out of version control", () => {
    const dataFolder = join(temporaryFolder(), ".fixpoint");
    pauseFile(dataFolder).pause();
    expect(readFileSync(join(dataFolder, ".gitignore"), "utf8")).toBe("*\n");
  });

  it("is seen by all that look at the same folder", () => {
    const dataFolder = join(temporaryFolder(), ".fixpoint");
    pauseFile(dataFolder).pause();
    expect(pauseFile(dataFolder).isPaused()).toBe(true);
    expect(pauseFile(dataFolder).resume()).toBe(true);
  });

  it("neither follows a link in its place nor changes what is there", () => {
    const dataFolder = join(temporaryFolder(), ".fixpoint");
    mkdirSync(dataFolder);
    const outside = join(temporaryFolder(), "outside");
    symlinkSync(outside, join(dataFolder, "pause"));
    const pause = pauseFile(dataFolder);
    pause.pause();
    expect(existsSync(outside)).toBe(false);
    expect(pause.isPaused()).toBe(true);
    writeFileSync(outside, "kept");
    expect(pause.resume()).toBe(true);
    expect(readFileSync(outside, "utf8")).toBe("kept");
  });

  it("says what the system refuses", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, ".fixpoint", "pause"), { recursive: true });
    expect(() => pauseFile(join(folder, ".fixpoint")).resume()).toThrow(EnvironmentError);
    writeFileSync(join(folder, "file"), "");
    expect(() => pauseFile(join(folder, "file")).pause()).toThrow(
      expect.objectContaining({ code: "file-refused", blame: "environment" }),
    );
  });
});
