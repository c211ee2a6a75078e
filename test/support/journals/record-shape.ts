import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { runSpec } from "../../../src/hosts/node/run-spec.ts";
import type { Delegation, Executor } from "../../../src/ports/executor.ts";
import { createRunControl } from "../../../src/runtime/run-control.ts";
import { forgetHead } from "../owner-folder.ts";
import type { Said, Scene, Shape, Told } from "./shape.ts";
import { shippingOver } from "./shipping.ts";

export interface Kill {
  readonly behind: number;
  readonly torn: boolean;
}

export async function recordShape(shape: Shape, workspace: string, folder: string, kill?: Kill): Promise<void> {
  const spec = join(workspace, "spec");
  mkdirSync(spec, { recursive: true });
  writeFileSync(join(spec, "tasks.md"), shape.plan);
  if (shape.git === true) startRepository(workspace);
  const [first = {}, ...more] = shape.starts ?? [{}];
  await start(shape, workspace, first);
  const made = join(spec, ".fixpoint", "run-1");
  if (kill !== undefined) {
    cut(join(made, "journal-1.ndjson"), kill);
    forgetHead(spec);
    shape.between?.(spec, 2);
    const again = start(shape, workspace, shape.behindKill ?? {});
    if (shape.refused === undefined) await again;
    else await assert.rejects(again, { code: shape.refused });
  }
  for (const [index, told] of more.entries()) {
    shape.between?.(spec, index + 2);
    await start(shape, workspace, told);
  }
  mkdirSync(folder, { recursive: true });
  const names = existsSync(made) ? readdirSync(made).filter((name) => name.endsWith(".ndjson")) : [];
  const sizes = new Map<number, number>();
  for (let segment = 1; segment <= names.length; segment++) {
    const name = `journal-${segment}.ndjson`;
    const text = neutral(readFileSync(join(made, name), "utf8"), workspace, sizes);
    sizes.set(segment, Buffer.byteLength(text.slice(0, text.lastIndexOf("\n") + 1)));
    writeFileSync(join(folder, name), text);
  }
}

async function start(shape: Shape, workspace: string, told: Told): Promise<void> {
  const control = createRunControl();
  const stop = new AbortController();
  const scene: Scene = { spec: join(workspace, "spec"), control, interrupt: () => stop.abort() };
  const say = (said: Said): ReturnType<Executor> => Promise.resolve(typeof said === "function" ? said(scene) : said);
  const claim = ({ role }: Delegation): string => (role === "verifier" ? "VERIFICATION_PASS" : "TASK_COMPLETE");
  const left = [...(shape.person ?? [])];
  const execute: Executor = async (delegation) => {
    const { taskId, attempt } = delegation;
    // Lets the members of a batch end at different times.
    for (let turns = Number(taskId.at(-1)) * 3 || 0; turns > 0; turns--) await Promise.resolve();
    if (shape.git === true) commitAll(workspace, delegation);
    return say(shape.attempts?.[taskId]?.[attempt - 1] ?? claim(delegation));
  };
  const standIn: Executor = async (delegation) => claim(delegation);
  await runSpec({
    spec: "spec",
    workspace,
    yes: true,
    accept: "any",
    ...told,
    policy: { ...shape.policy, ...told.policy },
    executors: {
      executor: shape.standIn === true ? [execute, standIn] : execute,
      operator: ({ key }) => say(shape.operator?.[key] ?? "ESCALATE: everything | what to do"),
      ...(shape.reviewer !== undefined && { reviewer: ({ key }) => say(shape.reviewer?.[key] ?? "REVIEW_PASS") }),
    },
    ...(shape.ships === true && shippingOver(workspace)),
    ...(shape.person !== undefined && { decide: async () => left.shift() ?? null }),
    control,
    signal: stop.signal,
  });
}

function cut(path: string, { behind, torn }: Kill): void {
  const lines = readFileSync(path, "utf8").split("\n");
  // Drops the whole line of the first lost record, because a line is written at once.
  const next = lines.findIndex((line) => {
    const { n = 0, records = [] } = line === "" ? {} : (opened(line) as { n?: number; records?: unknown[] });
    return n + records.length - 1 > behind;
  });
  const kept = `${lines.slice(0, next).join("\n")}\n`;
  truncateSync(path, Buffer.byteLength(kept));
  const [head = ""] = lines;
  writeFileSync(path, kept.replace(head, sealed({ ...opened(head), pid: 999_999_999, pidStart: null })));
  if (torn) appendFileSync(path, (lines[next] ?? "").slice(0, 40));
}

function neutral(text: string, workspace: string, sizes: ReadonlyMap<number, number>): string {
  return text
    .split("\n")
    .map((line) => {
      if (!/,"crc":\d+\}$/.test(line)) return line;
      const value = opened(line.replaceAll(workspace, "/work"));
      if ("v" in value) {
        const { after } = value as { after: { segment: number } | null };
        const bytes = after === null ? null : { ...after, bytes: sizes.get(after.segment) };
        return sealed({ ...value, after: bytes, pid: 1, pidStart: null, host: "somewhere", boot: null, at: 0 });
      }
      const { n, records } = value as { n: number; records: Record<string, unknown>[] };
      const timeless = records.map((record) => ({
        ...record,
        ...("elapsedMs" in record && { elapsedMs: n }),
        ...("ending" in record && { ending: { ...(record["ending"] as object), durationMs: n } }),
      }));
      return sealed({ n, at: n, records: timeless });
    })
    .join("\n");
}

const opened = (line: string): Record<string, unknown> =>
  JSON.parse(line.replace(/,"crc":\d+\}$/, "}")) as Record<string, unknown>;

export function sealed(value: object): string {
  const body = JSON.stringify(value).slice(0, -1);
  return `${body},"crc":${crc32(body)}}`;
}

const git = (workspace: string, ...words: readonly string[]): void =>
  void execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...words], {
    cwd: workspace,
    stdio: "ignore",
  });

function startRepository(workspace: string): void {
  git(workspace, "init", "-q");
  git(workspace, "config", "user.name", "A");
  git(workspace, "config", "user.email", "a@example.org");
  writeFileSync(join(workspace, ".gitignore"), ".fixpoint/\n");
  git(workspace, "add", ".");
  git(workspace, "commit", "-qm", "Begin");
}

function commitAll(workspace: string, { taskId, attempt }: Delegation): void {
  writeFileSync(join(workspace, `made-${taskId}`), String(attempt));
  git(workspace, "add", ".");
  git(workspace, "commit", "-qm", `feat: ${taskId}`);
}
