import { describe, expect, it } from "vitest";
import { jsonReporter } from "../../../../src/hosts/cli/reporters/json-reporter.ts";
import { fakeTerminal } from "../fake-terminal.ts";
import { failed, recovery } from "../sample-events.ts";

describe("jsonReporter", () => {
  it("prints one object a line, type first, then the time", () => {
    const terminal = fakeTerminal();
    const reporter = jsonReporter(terminal);
    reporter.event(failed("1.2", "no\u001b\n"));
    reporter.close();
    expect(terminal.printed.out).toBe(
      '{"type":"task.failed","at":"2026-01-02T03:04:05.678Z","task":"1.2","failure":{"kind":"task","error":"no\\u001b\\n","attemptedFix":"None","status":"Blocked"}}\n',
    );
  });

  it("prints every event as it is, and nothing else", () => {
    const terminal = fakeTerminal();
    const reporter = jsonReporter(terminal);
    for (const event of recovery) reporter.event(event);
    const lines = terminal.printed.out.trimEnd().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(recovery);
    expect(lines.every((line) => line.startsWith('{"type":"'))).toBe(true);
    expect(terminal.printed.err).toBe("");
  });
});
