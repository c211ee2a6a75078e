import { describe, expect, it } from "vitest";
import { jsonReporter } from "../../../../src/hosts/cli/reporters/reporter.ts";
import { fakeTerminal } from "../fake-terminal.ts";
import { decided, failed, groupStarted, recovery, waiting } from "../sample-events.ts";

describe("jsonReporter", () => {
  it("prints one object per line, type first, then the time", () => {
    const terminal = fakeTerminal();
    const reporter = jsonReporter(terminal);
    reporter.event(failed("1.2", "no\u001b\n"));
    reporter.close();
    expect(terminal.printed.out).toBe(
      '{"type":"task.failed","at":"2026-01-02T03:04:05.678Z","task":"1.2","failure":{"kind":"task","error":"no\\u001b\\n","attemptedFix":"None","status":"Blocked"},"progress":null}\n',
    );
  });

  it("prints every event unchanged, and nothing else", () => {
    const terminal = fakeTerminal();
    const reporter = jsonReporter(terminal);
    const events = [decided("1.2"), ...recovery];
    for (const event of events) reporter.event(event);
    const lines = terminal.printed.out.trimEnd().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(events);
    expect(lines.every((line) => line.startsWith('{"type":"'))).toBe(true);
    expect(terminal.printed.err).toBe("");
  });

  it.each([
    [1_767_376_800_000, '"until":"2026-01-02T18:00:00.000Z"'],
    [null, '"until":null'],
  ])("prints the end of a wait, %s, in ISO 8601", (until, text) => {
    const terminal = fakeTerminal();
    jsonReporter(terminal).event(waiting("1.2", "rate-limit", until, "429: slow down"));
    expect(terminal.printed.out).toBe(
      `{"type":"waiting","at":"2026-01-02T03:04:05.678Z","task":"1.2","reason":"rate-limit",${text},"error":"429: slow down"}\n`,
    );
  });

  it("prints parallel tasks", () => {
    const terminal = fakeTerminal();
    jsonReporter(terminal).event(groupStarted("1.1", "1.2"));
    expect(JSON.parse(terminal.printed.out)).toEqual({
      type: "group.started",
      at: "2026-01-02T03:04:05.678Z",
      tasks: ["1.1", "1.2"],
    });
  });
});
