import { afterEach, describe, expect, it, vi } from "vitest";
import { checkCommands, whyTooLong } from "../../../src/adapters/processes/shell-command.ts";
import { temporaryFolder } from "../../support/folder.ts";

afterEach(() => void vi.unstubAllEnvs());
/** One byte less than a shell accepts; the system also counts the terminating zero. */
const longest = "é".repeat(64 * 1024 - 1);
const told = { code: "command-too-long", hint: expect.stringContaining("script") };

describe("checkCommands", () => {
  it("accepts commands up to the maximum of a shell, to the last byte", () => {
    expect([whyTooLong(longest), whyTooLong(`${longest}x`)]).toEqual([null, null]);
    expect(whyTooLong(`${longest}xx`)).toBe("it has 131072 bytes, and a shell accepts at most 131071");
    expect(() => checkCommands(["true", longest], temporaryFolder())).not.toThrow();
  });

  it("returns the start of one that is too long, among others", () => {
    const message = `Cannot run the command that begins with \`${"é".repeat(60)}\`: it has 131072 bytes`;
    expect(() => checkCommands(["true", `${longest}xx`], temporaryFolder())).toThrow(
      expect.objectContaining({ ...told, message: expect.stringContaining(message) }),
    );
  });

  it("refuses a machine without a shell, if there is a command for it", () => {
    const folder = temporaryFolder();
    vi.stubEnv("PATH", folder);
    const missing = { code: "shell-missing", message: expect.stringContaining("`sh`"), hint: expect.any(String) };
    expect(() => checkCommands(["true"], folder)).toThrow(expect.objectContaining(missing));
    expect(() => checkCommands([], folder)).not.toThrow();
  });
});
