import { describe, expect, it } from "vitest";
import type { Reply } from "../../src/model/reply.ts";
import { readToolMessage, startTrouble } from "../../src/recover/executor-trouble.ts";
import { saysStopped } from "../../src/recover/says-stopped.ts";

const now = Date.parse("2026-11-20T12:00:00Z");

describe("startTrouble", () => {
  it.each<[said: string, reply: Omit<Reply, "text"> & { text?: string }, message: string]>([
    ["a missing program", { exitCode: 127, stderr: "sh: 1: agnt: not found\n" }, "exit 127: sh: 1: agnt: not found"],
    ["a missing program on stdout", { exitCode: 127, text: "agnt: not found" }, "exit 127: agnt: not found"],
    ["a missing program without a message", { exitCode: 127 }, "exit 127: it cannot run"],
    ["an invalid program", { exitCode: 126, stderr: "sh: x: not a program" }, "exit 126: sh: x: not a program"],
    ...[
      "error: unknown option --modle",
      "error: unknown option '--modle'",
      "node: bad option: --modle",
      "agent.py: error: unrecognized arguments: --modle",
      "error: unexpected argument '--modle' found",
      "grep: invalid option -- 'y'",
      "Unknown argument: modle",
      "flag provided but not defined: -modle",
      "unknown shorthand flag: 'm' in -modle",
      "No such option: --modle",
      "agent: option '--model' requires an argument",
      "error: the following required arguments were not provided:",
      "error: missing required argument 'prompt'",
      "error: Found argument '--modle' which wasn't expected, or isn't valid in this context",
      'Error: unknown command "exce" for "agent"',
    ].map((line): [string, Omit<Reply, "text">, string] => [line, { exitCode: 2, stderr: `${line}\n` }, line]),
    [
      "help before it",
      { exitCode: 1, stderr: `${"  --x  does x\n".repeat(40)}Unknown argument: y` },
      "Unknown argument: y",
    ],
    [
      "help after it",
      { exitCode: 1, text: `error: unknown option --y\n${"  --x\n".repeat(40)}` },
      "error: unknown option --y",
    ],
  ])("finds %s", (_, reply, message) => {
    expect(startTrouble({ text: "", ...reply })).toEqual({ kind: "startup", message });
  });

  it("returns a missing right if it is stated", () => {
    expect(startTrouble({ text: "", exitCode: 126, stderr: "sh: ./agent: Permission denied" })).toMatchObject({
      kind: "permission",
    });
  });

  it.each<[string, Reply]>([
    ["an end in order", { text: "", stderr: "error: unknown option --x" }],
    ["an end by a limit", { text: "", stderr: "error: unknown option --x", exitCode: 1, ended: "timeout" }],
    ["another error", { text: "", stderr: "TypeError: x is no function", exitCode: 1 }],
    ["a tool of an agent with output", { text: "I looked at it", stderr: "unknown option -x", exitCode: 1 }],
    ["a sentence", { text: "The parser has to refuse an unknown option", exitCode: 1 }],
    ["silence", { text: "", exitCode: 1 }],
  ])("finds none in %s", (_, reply) => {
    expect(startTrouble(reply)).toBeNull();
  });
});

describe("readToolMessage", () => {
  it.each<[text: string, kind: string, until?: string]>([
    ["Not logged in · Please run /login", "auth"],
    ["Invalid API key · Fix external API key", "auth"],
    ["Credit balance is too low", "permission"],
    ["Error: insufficient credits", "permission"],
    ["There's an issue with the selected model (opsu). It may not exist", "permission"],
    ["model 'opsu' not found", "permission"],
    ["You've hit your session limit · resets 9pm (Europe/Paris)", "rate-limit", "2026-11-20T20:00:00.000Z"],
    ["session limit · resets 9pm (Europe/Paris)", "rate-limit", "2026-11-20T20:00:00.000Z"],
    ["Usage limit reached\nTry again at 14:30 UTC", "rate-limit", "2026-11-20T14:30:00.000Z"],
  ])("finds in %j: %s", (text, kind, until) => {
    expect(readToolMessage({ text, exitCode: 1 }, now)).toEqual({
      kind,
      message: text.split("\n")[0],
      ...(until !== undefined && { until: Date.parse(until) }),
    });
    if (!text.includes("\n")) expect(readToolMessage({ text }, now)).toMatchObject({ kind });
  });

  it.each<[string, Parameters<typeof readToolMessage>[0]]>([
    ["a long message", { text: "Not logged in\n".repeat(6), exitCode: 1 }],
    ["a long line", { text: `Not logged in ${"x".repeat(1000)}`, exitCode: 1 }],
    ["a claim", { text: "Not logged in\nTASK_COMPLETE", exitCode: 1 }],
    ["a time-out", { text: "Not logged in", exitCode: 1, ended: "timeout" }],
    ["two lines of one that ended normally", { text: "Done.\nNot logged in" }],
    ["the sentence of an agent", { text: "Fixed the message for who is not logged in" }],
    ["another message", { text: "Nothing to do", exitCode: 1 }],
    ["nothing", { text: "" }],
  ])("finds none in %s", (_, reply) => {
    expect(readToolMessage(reply, now)).toBeNull();
  });
});

describe("saysStopped", () => {
  it.each([
    "I need your permission to write to src/a.ts.",
    "Permission to use Bash was denied, so the tests are not run.",
    "I wasn't allowed to run the tests.",
    "I could not run `npm test`.",
    "I'm unable to create the file here.",
    "The command was blocked by the sandbox.",
    "BLOCKED: may I run npm?",
    "Please grant write access, then I go on.",
  ])("recognizes a blocked agent in %j", (text) => {
    expect(saysStopped(text)).toBe(true);
  });

  it.each([
    "",
    "All tests pass.\nTASK_COMPLETE",
    "Task 1.1: FAILED\n- Error: boom",
    "The access log has a new column.",
  ])("recognizes no blocked agent in %j", (text) => {
    expect(saysStopped(text)).toBe(false);
  });
});
