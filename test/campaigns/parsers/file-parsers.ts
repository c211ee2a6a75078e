import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStateFile } from "../../../src/adapters/documents/state-file.ts";
import { readOwnFile } from "../../../src/adapters/files/read-own-file.ts";
import { readSegment, sealLine } from "../../../src/adapters/journal/journal-segment.ts";
import { readPlanningConfig } from "../../../src/adapters/settings/settings-file.ts";
import { readConfig } from "../../../src/hosts/cli/options/config.ts";
import { sampleHeader } from "../../support/sample-header.ts";

const records = [
  { n: 1, type: "delegated", key: "1.1#1", task: "1.1", role: "executor", attempt: 1, retries: 0, elapsedMs: 5, at: 1 },
  { n: 2, type: "answered", effect: "delegate", key: "1.1#1/delegate", answer: { kind: "replied" }, at: 2 },
  { n: 3, type: "guided", task: "1.1", text: "try\nagain", at: 3 },
  { n: 4, type: "released", at: 4 },
];
const journal = [sampleHeader, ...records].map(sealLine);
const state =
  '{"phase":"execution","taskIndex":1,"totalTasks":2,"fixTaskMap":{"1.1":{"attempts":1,"fixTaskIds":["1.1.1"]}},"other":[1]}';
const planning = '{"workflow":{"node_repair":true,"node_repair_budget":2}}';
const settings =
  '{"maxTaskIterations":3,"recovery":["retry","fix"],"taskTimeout":"30m","lint":{"missing-verify":"off"}}';

export const fileParsers = [
  { name: "journal", content: journal.join(""), read: readJournal },
  { name: "state", content: state, read: (path: string) => readStateFile(path).kind },
  { name: "planning config", content: planning, read: (_: string, folder: string) => readPlanningConfig(folder) },
  { name: "settings", content: settings, read: (_: string, folder: string) => readConfig([folder]) },
  { name: "own file", content: "a\nb\n", read: readOwnFile },
] as const;

function readJournal(path: string): void {
  const found = readSegment(path).records;
  assert.deepEqual(
    found,
    records.slice(0, found.length).map(({ n: _, ...record }) => record),
  );
}

export async function readBytes(which: number, content: Uint8Array): Promise<void> {
  place ??= openPlace();
  const folder = place;
  const [{ name, read }] = [fileParsers[which % fileParsers.length] ?? fileParsers[0]];
  const file = {
    journal: "journal",
    state: "state",
    "planning config": ".planning/config.json",
    settings: "fixpoint.config.json",
    "own file": "own",
  }[name];
  writeFileSync(join(folder, file), content);
  await read(join(folder, file), folder);
}

/** Reused by all trials, because creating a file takes longer than reading it. */
let place: string | undefined;

function openPlace(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fixpoint-parsers-")));
  mkdirSync(join(folder, ".planning"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
