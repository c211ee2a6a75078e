import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { presets } from "../../../../src/adapters/presets/find-preset.ts";
import { openMessage } from "../../../../src/adapters/presets/output/message-text.ts";
import { readLocalTime } from "../../../../src/adapters/presets/output/read-local-time.ts";
import { amountAt, eventsAt, parseEvent, textAt } from "../../../../src/adapters/presets/output/stream-event.ts";
import { Reply } from "../../../../src/model/reply.ts";
import { now, readSample } from "../read-sample.ts";

describe("an event of a stream", () => {
  it("is asked for what it may have", () => {
    const event = parseEvent('{"a":{"text":"x","n":2,"list":[{"b":1},2,null]},"__proto__":{"c":1}}') ?? {};
    expect([textAt(event, "a", "text"), textAt(event, "a", "n"), textAt(event, "a", "text", "b")]).toEqual([
      "x",
      null,
      null,
    ]);
    expect([amountAt(event, "a", "n"), amountAt(event, "a", "text"), amountAt(event, "x", "y")]).toEqual([
      2,
      null,
      null,
    ]);
    expect(eventsAt(event, "a", "list")).toEqual([{ b: 1 }]);
    expect([eventsAt(event, "a"), textAt(event, "constructor", "name"), amountAt({ n: -1 }, "n")]).toEqual([
      [],
      null,
      null,
    ]);
  });
});

/** Values of every kind at the places where events have something. */
const anyEvent = fc.dictionary(
  fc.constantFrom(
    "type",
    "role",
    "subtype",
    "message",
    "result",
    "item",
    "part",
    "error",
    "errors",
    "usage",
    "data",
    "content",
  ),
  fc.oneof(
    fc.constantFrom(
      "assistant",
      "result",
      "message",
      "error",
      "text",
      "item.completed",
      "turn.failed",
      "session.error",
    ),
    fc.anything(),
    fc.jsonValue(),
  ),
);

describe("readers of streams", () => {
  it("read what nobody would print, and answer what a reply may hold", () => {
    for (const { openReader } of presets) {
      if (openReader === undefined) continue;
      fc.assert(
        fc.property(fc.array(anyEvent, { maxLength: 8 }), (events) => {
          const reader = openReader();
          for (const event of events) reader.see(event);
          const { text, usage, problem } = reader.end({ exitCode: 1, stderr: "", now });
          Reply.parse({ text: text ?? "", usage, ...(problem !== null && { problem }) });
        }),
      );
    }
  });

  it("are not disturbed by events of unknown types", () => {
    for (const { name, openReader } of presets) {
      if (openReader === undefined) continue;
      const [plain, mixed] = [openReader(), openReader()];
      for (const line of readSample(name).trim().split("\n")) {
        const event = parseEvent(line) ?? {};
        plain.see(event);
        mixed.see(event);
        mixed.see({ type: "x.new", message: "rate limit exceeded", error: { message: "401 Unauthorized" } });
      }
      expect(mixed.end({ exitCode: 0, stderr: "", now })).toEqual(plain.end({ exitCode: 0, stderr: "", now }));
    }
  });
});

describe("openMessage", () => {
  it("joins the pieces of the last message", () => {
    const message = openMessage();
    expect(message.read()).toBeNull();
    for (const piece of ["a", "", "b"]) message.add(piece);
    message.end();
    expect(message.read()).toBe("ab");
    message.add("");
    expect(message.read()).toBe("ab");
    message.add("c");
    expect(message.read()).toBe("c");
  });

  it("holds the end of a message without end", () => {
    const message = openMessage();
    for (let count = 0; count < 12; count++) message.add("x".repeat(1024 * 1024));
    message.add("the end");
    const text = message.read() ?? "";
    expect(text.length).toBeLessThan(8.1 * 1024 * 1024);
    expect(text.endsWith("xthe end")).toBe(true);
  });
});

describe("readLocalTime", () => {
  const noon = new Date(2026, 10, 20, 12, 0).getTime();

  it.each([
    ["or try again at 1:30 PM.", new Date(2026, 10, 20, 13, 30)],
    ["or try again at 6:31 AM.", new Date(2026, 10, 21, 6, 31)],
    ["or try again at 12:00 PM.", new Date(2026, 10, 21, 12, 0)],
    ["try again at Nov 23rd, 2026 11:50 AM.", new Date(2026, 10, 23, 11, 50)],
    ["try again at Nov 2nd, 2026 11:50 AM.", new Date(2026, 10, 2, 11, 50)],
  ])("reads %j", (text, time) => {
    expect(readLocalTime(text, noon)).toBe(time.getTime());
  });

  it.each(["try again later", "try again at 25:99 PM", "try again at Foo 1st, 2026 1:00 AM", "at 6:31 AM"])(
    "reads nothing from %j",
    (text) => {
      expect(readLocalTime(text, noon)).toBeNull();
    },
  );
});
