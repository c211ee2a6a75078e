import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readJournal } from "../../src/adapters/journal/read-journal.ts";
import { runSpec } from "../../src/hosts/node/index.ts";
import { readReplay } from "../../src/hosts/node/reading/read-replay.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { temporaryFolder } from "../support/folder.ts";

const count = 450;

it("a long run resumes from its snapshot as it does from its records", async () => {
  const workspace = temporaryFolder();
  const spec = join(workspace, "specs", "long");
  mkdirSync(spec, { recursive: true });
  const tasks = Array.from({ length: count }, (_, index) => `- [ ] 1.${index + 1} Task\n`);
  writeFileSync(join(spec, "tasks.md"), tasks.join(""));
  const asked: string[] = [];
  const stop = new AbortController();
  const start = (at: number) =>
    runSpec({
      ...{ spec, workspace, signal: at < 0 ? new AbortController().signal : stop.signal },
      ...{ policy: { trustExecutor: true, recovery: ["retry"], maxGlobalIterations: count + 1 } },
      executors: {
        executor: async ({ key, taskId }) => {
          asked.push(key);
          if (asked.length === at) stop.abort();
          return { text: `Task ${taskId}: Task DONE\nTASK_COMPLETE\n`, usage: { inputTokens: 1, outputTokens: 1 } };
        },
      },
    });
  await start(count - 3);
  const base = join(spec, ".fixpoint");
  const read = readJournal(base, { whole: false });
  const whole = readJournal(base);
  expect(read.snapshot?.records).toBeGreaterThan(500);
  const kept = statSync(join(base, "run-1", "snapshot.json")).size;
  expect(kept).toBeLessThan(statSync(join(base, "run-1", "journal-1.ndjson")).size);
  expect(read.records.length + (read.snapshot?.records ?? 0)).toBe(whole.records.length);
  const state = newRun(whole.segments[0]?.header.open);
  for (const record of whole.records.slice(0, read.snapshot?.records)) apply(state, record);
  expect(read.snapshot?.state()).toEqual(JSON.parse(JSON.stringify(state)));

  expect(await start(-1)).toMatchObject({ outcome: "complete", original: count, attempts: asked.length });
  expect(new Set(asked).size).toBe(count);
  expect(readReplay(spec, { workspace })).toMatchObject({ differences: [] });
  expect(existsSync(join(base, "run-1", "snapshot.json"))).toBe(true);
});
