import type { RunMemory } from "../../../src/effects/run-memory.ts";
import type { RunEnded } from "../../../src/model/event.ts";
import type { RunRecord } from "../../../src/model/record.ts";
import type { Shell } from "../../../src/ports/shell.ts";
import { failing } from "../../support/evidence-run.ts";
import { continueRun, type MemoryRun, newRun } from "../../support/memory-run.ts";
import { memoryTrees } from "../../support/memory-trees.ts";
import { type Content, fileOf, type World } from "./world.ts";

export type Happening = { readonly content: Content } & (
  | { readonly kind: "run"; readonly name: string; readonly command: string; readonly reds: readonly string[] }
  | { readonly kind: "began"; readonly key: string }
  | { readonly kind: "ended"; readonly key: string; readonly tokens: number; readonly box: string | null }
  | {
      readonly kind: "recorded";
      readonly type: string;
      readonly key: string;
      readonly answer: string;
      readonly run?: string | undefined;
      readonly fix?: string | undefined;
    }
  | { readonly kind: "killed" }
);

export interface Played {
  readonly happenings: readonly Happening[];
  readonly ended: RunEnded | null;
  readonly made: MemoryRun;
  readonly memory: RunMemory;
}

const mostStarts = 400;

export async function playWorld(world: World, kills: readonly number[]): Promise<Played> {
  const made = newRun(world.plan);
  const files = new Map(world.files);
  const happenings: Happening[] = [];
  const seen = new Set<string>();
  const trees = memoryTrees(files);
  const log = (
    happening: Happening extends infer One ? (One extends Happening ? Omit<One, "content"> : never) : never,
  ) => happenings.push({ ...happening, content: new Map(files) } as Happening);
  let [memory, ended]: [RunMemory | null, RunEnded | null] = [null, null];
  let [start, tokens] = [0, 0];
  for (; ended === null && start < mostStarts; start += 1) {
    const mine = start;
    const never = new Promise<never>(() => {});
    const shell: Shell = {
      exists: async () => true,
      run: async (command, { keepAs: name = "" }) => {
        await ticks(world.chance(`${name} takes`) * 6);
        if (start !== mine) return never;
        const where = JSON.stringify([command, ...files]);
        const reds = world.redOn(command, files, !seen.has(where));
        seen.add(where);
        log({ kind: "run", name, command, reds });
        const stdout = failing(...reds.map((check) => [check, fileOf(check)] as const));
        return { exitCode: stdout === "" ? 0 : 1, stdout, stderr: "", durationMs: 1, timedOut: false };
      },
    };
    const execute = async ({ key, role, prompt }: { key: string; role: string; prompt: string }) => {
      log({ kind: "began", key });
      await ticks(world.chance(`${key} takes`) * 12);
      if (start !== mine) return never;
      const command = /\*\*Verify\*\*: `([^`]+)`/.exec(prompt)?.[1] ?? null;
      const box = world.act(key, command, files);
      if (box !== null) made.store.tasks.text = made.store.tasks.text.replace(`- [ ] ${box} `, `- [x] ${box} `);
      tokens += 1;
      log({ kind: "ended", key, tokens, box });
      const text = role === "verifier" ? "VERIFICATION_PASS" : "TASK_COMPLETE";
      return { text, usage: { inputTokens: tokens, outputTokens: 0 } };
    };
    const before = made.records.length;
    ended = await continueRun(made, execute, {
      ...{ shell, ports: { trees }, killedAt: before + (kills[start] ?? Number.POSITIVE_INFINITY) },
      policy: {
        ...{ recovery: ["fix"], verifyBefore: true, recheck: true, knownFailures: world.knownFailures },
        ...(world.finalVerify !== null && { finalVerify: world.finalVerify }),
      },
      onRecords: (records, now) => {
        memory = now;
        if (made.records.length + records.length > before + (kills[start] ?? Number.POSITIVE_INFINITY)) return;
        for (const record of records) log({ kind: "recorded", ...told(record) });
      },
    });
    if (ended === null) log({ kind: "killed" });
  }
  if (memory === null) throw new Error("nothing was recorded");
  return { happenings, ended, made, memory };
}

function told(record: RunRecord) {
  const verify = "verify" in record ? record.verify : undefined;
  const answer = record.type === "answered" ? record.answer.kind : "";
  const key = "key" in record ? String(record.key) : "";
  const fix = record.type === "intended" ? record.fix.id : undefined;
  return { type: record.type, key, answer, run: verify?.name, fix };
}

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await new Promise((resolve) => setImmediate(resolve));
}
