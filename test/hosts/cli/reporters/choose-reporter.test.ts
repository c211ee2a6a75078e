import { describe, expect, it } from "vitest";
import type { ReporterName } from "../../../../src/hosts/cli/options/settings.ts";
import { chooseReporter } from "../../../../src/hosts/cli/perform-run.ts";
import { fakeTerminal } from "../fake-terminal.ts";
import { planned, started } from "../sample-events.ts";

const firstWords = (name: ReporterName | undefined, isTTY: boolean): string => {
  const terminal = fakeTerminal({ isTTY });
  chooseReporter(name, terminal, [planned("1.1", "First")], "/work").event(started());
  const { out } = terminal.printed;
  return out.includes("○ 1.1 First") ? "tree" : out.startsWith("{") ? "json" : "plain";
};

describe("chooseReporter", () => {
  it.each([
    [undefined, true, "tree"],
    [undefined, false, "plain"],
    ["tree", true, "tree"],
    ["tree", false, "plain"],
    ["plain", true, "plain"],
    ["json", true, "json"],
    ["json", false, "json"],
  ] as const)("chooses for %s, on a terminal: %s, the reporter %s", (name, isTTY, chosen) => {
    expect(firstWords(name, isTTY)).toBe(chosen);
  });
});
