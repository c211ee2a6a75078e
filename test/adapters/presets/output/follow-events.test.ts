import { closeSync, openSync, readdirSync, readFileSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { followEvents } from "../../../../src/adapters/presets/output/follow-events.ts";
import { parseEvent, type StreamEvent } from "../../../../src/adapters/presets/output/stream-event.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { readEvents } from "../../../support/read-events.ts";

interface Read {
  readonly found: boolean;
  readonly events: readonly StreamEvent[];
}

async function read(text: string | Buffer): Promise<Read> {
  const path = join(temporaryFolder(), "stream");
  writeFileSync(path, text);
  const file = openSync(path, "r");
  const events: StreamEvent[] = [];
  try {
    return { found: await readEvents(file, (event) => void events.push(event)), events };
  } finally {
    closeSync(file);
  }
}

const mib = 1024 * 1024;

describe("followEvents", () => {
  it("reads an object from each line, also from the last without an ending", async () => {
    expect(await read('{"a":1}\r\n\n  {"b":"é"}\n{"c":[]}')).toEqual({
      found: true,
      events: [{ a: 1 }, { b: "é" }, { c: [] }],
    });
  });

  it("skips lines that are not objects", async () => {
    expect(await read('Loading {"a":1}\n[1]\n"x"\nnull\n{"a":\n{}}\n{"b":2}\n')).toEqual({
      found: true,
      events: [{ b: 2 }],
    });
  });

  it.each(["", "\n\n", "Error: no token\n", "{\n"])("finds no event in %j", async (text) => {
    expect(await read(text)).toEqual({ found: false, events: [] });
  });

  it("reads lines longer than a chunk, and characters split between chunks", async () => {
    const line = (text: string): string => JSON.stringify({ text });
    const texts = ["é".repeat(mib), `x${"é".repeat(2 * mib)}`, "€".repeat(100)];
    const { events } = await read(texts.map(line).join("\n"));
    expect(events.map(({ text }) => texts.indexOf(String(text)))).toEqual([0, 1, 2]);
  });

  it("skips a line of more than 8 MiB and continues after it", async () => {
    const long = JSON.stringify({ text: "x".repeat(8 * mib) });
    expect(await read(`{"a":1}\n${long}\n{"b":2}\n${long}`)).toEqual({ found: true, events: [{ a: 1 }, { b: 2 }] });
  });

  it("uses little memory for a stream of 256 MiB", async () => {
    const path = join(temporaryFolder(), "stream");
    const line = `${JSON.stringify({ type: "tool_result", text: "x".repeat(64 * 1024 - 40) })}\n`;
    const block = Buffer.from(line.repeat(64));
    const out = openSync(path, "w");
    for (let written = 0; written < 256 * mib; written += block.length) writeFileSync(out, block);
    closeSync(out);
    const file = openSync(path, "r");
    let events = 0;
    let most = 0;
    const before = process.memoryUsage().rss;
    await readEvents(file, () => {
      events++;
      if (events % 64 === 0) most = Math.max(most, process.memoryUsage().rss - before);
    });
    closeSync(file);
    expect(events).toBeGreaterThan(4000);
    expect(most).toBeLessThan(128 * mib);
  });

  it("reports how far it has read, and an event as soon as its line has ended", async () => {
    const path = join(temporaryFolder(), "stream");
    const file = openSync(path, "a+");
    const events: StreamEvent[] = [];
    const { readOn, position, end } = followEvents(file, (event) => void events.push(event));
    writeFileSync(file, '{"a":1}\n{"b":');
    await readOn(() => false);
    expect({ position: position(), events }).toEqual({ position: 13, events: [{ a: 1 }] });
    writeFileSync(file, '2}\n{"c":3}');
    await readOn(() => true);
    expect(position()).toBe(13);
    await readOn(() => false);
    expect({ position: position(), events }).toEqual({ position: 23, events: [{ a: 1 }, { b: 2 }] });
    expect(end()).toBe(true);
    expect(events).toEqual([{ a: 1 }, { b: 2 }, { c: 3 }]);
    closeSync(file);
  });

  it("reads a truncated file from its start again", async () => {
    const path = join(temporaryFolder(), "stream");
    const file = openSync(path, "a+");
    const events: StreamEvent[] = [];
    const { readOn } = followEvents(file, (event) => void events.push(event));
    writeFileSync(file, '{"a":1}\n{"torn":');
    await readOn(() => false);
    truncateSync(path);
    writeFileSync(file, '{"b":2}\n');
    await readOn(() => false);
    expect(events).toEqual([{ a: 1 }, { b: 2 }]);
    closeSync(file);
  });

  it("finds in a growing file the same as in the whole, in every recorded stream", async () => {
    const folder = join(import.meta.dirname, "../../../fixtures/streams");
    const streams = readdirSync(folder).filter((name) => name.endsWith(".ndjson"));
    const cuts = fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...streams), cuts, async (name, at) => {
        const whole = readFileSync(join(folder, name));
        const expected = whole
          .toString()
          .split("\n")
          .flatMap((line) => parseEvent(line.trim()) ?? []);
        const file = openSync(join(temporaryFolder(), "stream"), "a+");
        const events: StreamEvent[] = [];
        const { readOn, end } = followEvents(file, (event) => void events.push(event));
        let written = 0;
        for (const to of [...at.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length]) {
          writeSync(file, whole.subarray(written, to));
          written = to;
          await readOn(() => false);
        }
        expect(end()).toBe(expected.length > 0);
        expect(events).toEqual(expected);
        closeSync(file);
      }),
    );
  });

  it("yields to others in between", async () => {
    const path = join(temporaryFolder(), "stream");
    writeFileSync(path, `{"a":1}\n`.repeat(1_000_000));
    const file = openSync(path, "r");
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    await readEvents(file, () => {});
    clearInterval(timer);
    closeSync(file);
    expect(turns).toBeGreaterThan(3);
  });
});
