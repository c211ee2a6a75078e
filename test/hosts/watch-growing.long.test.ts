import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sealLine } from "../../src/adapters/journal/journal-segment.ts";
import { findSpec } from "../../src/hosts/node/find-spec.ts";
import { readRun } from "../../src/hosts/node/read-run.ts";
import { withoutOutput } from "../../src/hosts/node/reading/page-run.ts";
import { type JournalSegment, watchRun } from "../../src/hosts/node/watch/follow-run.ts";
import { serveRun } from "../../src/hosts/node/watch/run-room.ts";
import { addressOf } from "../../src/model/command-line.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import { temporaryFolder } from "../support/folder.ts";
import { forcedLease, forgeHolder } from "../support/forced-lease.ts";
import { journals } from "../support/journals/alter-journal.ts";
import { until } from "../support/until.ts";

const address = addressOf("spec");
const segmentsOf = (name: string): string[] =>
  readdirSync(join(journals, name))
    .filter((file) => /^journal-\d+\.ndjson$/.test(file))
    .sort((one, other) => Number(/\d+/.exec(one)) - Number(/\d+/.exec(other)));
const textOf = (name: string, file: string): string => readFileSync(join(journals, name, file), "utf8");
const names = readdirSync(journals);
const tried = names.filter((name, index) => segmentsOf(name).length > 1 || index % 4 === 0);

const plan = `# Tasks\n\n${["1.1", "1.2", "1.3", "1.4"].map((id) => `- [ ] ${id} Do ${id}\n`).join("")}`;

function specOf() {
  const folder = join(temporaryFolder(), "spec");
  const run = join(folder, ".fixpoint", "run-1");
  mkdirSync(run, { recursive: true });
  writeFileSync(join(folder, "tasks.md"), plan);
  forcedLease(join(folder, ".fixpoint"));
  forgeHolder(join(folder, ".fixpoint"), { host: "elsewhere" });
  const watch = watchRun(findSpec(folder, folder));
  const compare = (): void => {
    const { segments, plan: seen, atWork } = watch.look();
    const whole = readRun(folder, undefined, address);
    expect(segments).toEqual(whole.journal.segments.map(({ header, records }) => ({ header, records })));
    expect(seen).toEqual(whole.plan);
    expect(atWork).toEqual({ held: false, alive: true });
  };
  return { folder, run, watch, compare };
}

describe("a growing run that is read incrementally", () => {
  it("covers runs of several starts", () => {
    expect(tried.filter((name) => segmentsOf(name).length > 1).length).toBeGreaterThan(5);
  });

  it("is shown to viewers as ended after its coordinator on another machine released the lease", async () => {
    const { folder, run, watch } = specOf();
    const [name = ""] = tried;
    for (const file of segmentsOf(name)) writeFileSync(join(run, file), textOf(name, file));
    const told: boolean[] = [];
    const end = watch.follow(({ atWork }) => told.push(atWork.alive));
    expect(told).toEqual([true]);
    rmSync(join(folder, ".fixpoint", "lease"), { recursive: true });
    await until(() => told.length > 1);
    end();
    expect(told).toEqual([true, false]);
  });

  it.each(tried)("equals a full read: %s", (name) => {
    const from = tried.indexOf(name);
    const { folder, run, compare } = specOf();
    compare();
    for (const file of segmentsOf(name)) {
      const lines = textOf(name, file).split(/(?<=\n)/);
      writeFileSync(join(run, file), lines[0] ?? "");
      // Appends each line in two parts, because a reader may find half a line.
      for (const [index, line] of lines.slice(1).entries()) {
        const half = Math.floor(line.length / 2);
        appendFileSync(join(run, file), line.slice(0, half));
        if ((from + index) % 11 === 0) compare();
        appendFileSync(join(run, file), line.slice(half));
        if ((from + index) % 7 === 0) compare();
      }
      compare();
    }
    writeFileSync(join(folder, "tasks.md"), plan.replaceAll("[ ]", "[x]"));
    compare();
  });

  const long = names.find((name) => segmentsOf(name).length === 1 && textOf(name, "journal-1.ndjson").length > 8000);
  const begun = () => {
    const spec = specOf();
    const path = join(spec.run, "journal-1.ndjson");
    const text = textOf(long ?? "", "journal-1.ndjson");
    writeFileSync(path, text);
    spec.compare();
    return { ...spec, path, text };
  };

  it("is read in full if its journal is cut", () => {
    const { path, text, compare } = begun();
    truncateSync(path, text.indexOf("\n", text.length / 2) + 1);
    compare();
    appendFileSync(path, text.slice(text.indexOf("\n", text.length / 2) + 1));
    compare();
  });

  it("is read in full if its journal is replaced by another of the same length, or removed", () => {
    const { path, text, run, compare } = begun();
    const [last = ""] = text.trimEnd().split("\n").slice(-1);
    const head = JSON.parse(last) as { at: number; crc: number };
    const { crc: _, ...body } = { ...head, at: head.at + 1 };
    writeFileSync(path, `${text.slice(0, -last.length - 1)}${sealLine(body)}`);
    compare();
    rmSync(run, { recursive: true });
    compare();
  });

  it("is read in full if another run begins", () => {
    const { folder, text, watch, compare } = begun();
    const next = join(folder, ".fixpoint", "run-2");
    mkdirSync(next);
    compare();
    const [header = ""] = text.split("\n");
    const { crc: _, ...body } = JSON.parse(header) as { run: number; crc: number };
    writeFileSync(join(next, "journal-1.ndjson"), sealLine({ ...body, run: 2 }));
    compare();
    expect(watch.look().run).toBe(2);
  });

  it("is not read again without changes, so that the views are the same objects", () => {
    const { watch, path, text } = begun();
    truncateSync(path, text.lastIndexOf("\n", text.length - 2) + 1);
    const { segments } = watch.look();
    const first = segments[0]?.records[0];
    appendFileSync(path, text.slice(text.lastIndexOf("\n", text.length - 2) + 1));
    const after = watch.look();
    expect(after.segments).toBe(segments);
    expect(after.segments[0]?.records[0]).toBe(first);
    expect(watch.look()).toBe(watch.look());
  });

  it("is sent to a follower, even if another reader has looked first", async () => {
    const { watch, path, text } = begun();
    const end = text.lastIndexOf("\n", text.length - 2) + 1;
    truncateSync(path, end);
    const counts: number[] = [];
    const stop = watch.follow(({ segments }) => counts.push(countIn(segments)));
    appendFileSync(path, text.slice(end));
    const { segments } = watch.look();
    await until(() => counts.at(-1) === countIn(segments));
    stop();
    expect(counts.length).toBe(2);
  });

  it("is sent completely if it ends together with its page", async () => {
    const { folder, path, text } = begun();
    const end = text.lastIndexOf("\n", text.length - 2) + 1;
    truncateSync(path, end);
    const by = { kind: "program", terminal: null, process: "sh", pid: 1 } as const;
    const page = await serveRun(findSpec(folder, folder), { by, address });
    const token = /token=([\w-]+)/.exec(readFileSync(page.path, "utf8"))?.[1] ?? "";
    const asked = { headers: { Authorization: `Bearer ${token}` } };
    const stream = await fetch(new URL("stream", page.address), asked);
    appendFileSync(path, text.slice(end));
    // Closes at once, so only the last read of the page can find the last line.
    const closed = page.close();
    const events = (await stream.text()).split("\n\n").filter((event) => event.startsWith("event: "));
    await closed;
    const { journal } = readRun(folder, undefined, address);
    const records = events.flatMap((event) => {
      const data = /^event: records\ndata: (.*)/.exec(event)?.[1];
      return data === undefined ? [] : (JSON.parse(data) as TimedRunRecord[]);
    });
    expect(records).toEqual(JSON.parse(JSON.stringify(journal.records.map(withoutOutput))));
    const names = events.map((event) => /^event: (\w+)/.exec(event)?.[1]);
    expect(names.slice(0, 4)).toEqual(["run", "start", "records", "work"]);
    expect(names.at(-1)).toBe("end");
  });
});

const countIn = (segments: readonly JournalSegment[]): number => segments.flatMap(({ records }) => records).length;
