import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readStateFile, stateFileView } from "../../../src/adapters/documents/state-file.ts";
import { specFiles } from "../../../src/adapters/files/spec-files.ts";
import { readSegment, sealLine } from "../../../src/adapters/journal/journal-segment.ts";
import { ExecutionState } from "../../../src/model/execution-state.ts";
import { answered } from "../answered.ts";
import { sampleHeader } from "../sample-header.ts";
import { fileSink } from "./file-sink.ts";

const keyed = (key: string, value: unknown): Record<string, unknown> => Object.fromEntries([[key, value]]);

export const stateSink = fileSink("state file", 1, (folder) => {
  const path = join(folder, ".ralph-state.json");
  return async (text) => {
    const fixTaskMap = keyed(text, { attempts: 1, fixTaskIds: [text], lastError: text });
    const state = ExecutionState.parse({ fixTaskMap, note: text, nested: keyed(text, text) });
    await stateFileView(path, specFiles(folder)).replace(() => state);
    const found = readStateFile(path);
    assert.equal(found.kind, "read");
    assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), state);
    writeFileSync(path, text);
    const foreign = readStateFile(path);
    assert.ok(foreign.kind === "corrupt" || foreign.kind === "read");
    assert.deepEqual(Object.keys(Object.prototype), []);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  };
});

export const journalSink = fileSink("journal", 1, (folder) => {
  const path = join(folder, "journal-1.ndjson");
  return (text) => {
    const records = [
      { type: "guided", task: text, text },
      { ...answered(`${text}/gatherParts`, { kind: "gathered" }), reply: { text, headBefore: text } },
      { type: "planned", key: text, change: "SPLIT_TASK", plan: { task: text, place: "before", tasks: [] } },
      { type: "released" },
    ];
    const [guided, ...rest] = records;
    const told = [
      { n: 1, at: 1, records: [guided] },
      { n: 2, at: 2, records: rest },
    ];
    const lines = [sampleHeader, ...told].map(sealLine);
    for (const line of lines) assert.equal(line.indexOf("\n"), line.length - 1);
    writeFileSync(path, lines.join(""));
    assert.deepEqual(
      readSegment(path).records,
      records.map((record, index) => ({ ...record, at: Math.min(index + 1, 2) })),
    );
  };
});
