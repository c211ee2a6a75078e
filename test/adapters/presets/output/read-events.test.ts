import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readEvents } from "../../../../src/adapters/presets/output/read-events.ts";
import type { StreamEvent } from "../../../../src/adapters/presets/output/stream-event.ts";
import { temporaryFolder } from "../../../support/folder.ts";

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

describe("readEvents", () => {
  it("reads an object from each line, also from the last without an end", async () => {
    expect(await read('{"a":1}\r\n\n  {"b":"é"}\n{"c":[]}')).toEqual({
      found: true,
      events: [{ a: 1 }, { b: "é" }, { c: [] }],
    });
  });

  it("skips lines that are no object", async () => {
    expect(await read('Loading {"a":1}\n[1]\n"x"\nnull\n{"a":\n{}}\n{"b":2}\n')).toEqual({
      found: true,
      events: [{ b: 2 }],
    });
  });

  it.each(["", "\n\n", "Error: no token\n", "{\n"])("finds no event in %j", async (text) => {
    expect(await read(text)).toEqual({ found: false, events: [] });
  });

  it("reads lines that are longer than a chunk, and characters on its edge", async () => {
    const line = (text: string): string => JSON.stringify({ text });
    const texts = ["é".repeat(mib), `x${"é".repeat(2 * mib)}`, "€".repeat(100)];
    const { events } = await read(texts.map(line).join("\n"));
    expect(events.map(({ text }) => texts.indexOf(String(text)))).toEqual([0, 1, 2]);
  });

  it("skips a line of more than 8 MiB and goes on behind it", async () => {
    const long = JSON.stringify({ text: "x".repeat(8 * mib) });
    expect(await read(`{"a":1}\n${long}\n{"b":2}\n${long}`)).toEqual({ found: true, events: [{ a: 1 }, { b: 2 }] });
  });

  it("holds little of a stream of 256 MiB", async () => {
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

  it("lets others run in between", async () => {
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
