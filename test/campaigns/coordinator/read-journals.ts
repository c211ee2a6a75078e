import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TimedRunRecord } from "../../../src/model/record.ts";
import { openLine, openRecords } from "../../support/open-line.ts";
import type { Project } from "./project.ts";

export type NumberedRecord = TimedRunRecord & { readonly n: number };

export interface JournalsRead {
  readonly segments: number;
  readonly records: readonly NumberedRecord[];
  readonly last: readonly NumberedRecord[];
  readonly takenOver: number;
  readonly violations: readonly string[];
}

/** Reads only the first run, and uses no code of the product. */
export function readJournals({ dataFolder }: Project): JournalsRead {
  const folder = join(dataFolder, "run-1");
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^journal-\d+\.ndjson$/.test(name)) : [];
  const segments = names.map((_, index) => readFileSync(join(folder, `journal-${index + 1}.ndjson`)));
  const headers = segments.map((bytes) => openLine(bytes.toString().split("\n")[0] ?? ""));
  const violations: string[] = [];
  const bySegment = segments.map((bytes, index) => {
    const after = headers[index + 1]?.["after"] as { segment: number; bytes: number } | undefined;
    if (headers[index] === null) violations.push(`segment ${index + 1} has no header`);
    if (after !== undefined && after.segment !== index + 1) violations.push(`segment ${index + 2} follows another one`);
    const lines = bytes.subarray(0, after?.bytes).toString().split("\n");
    if (lines.pop() !== "" && index + 1 < segments.length) violations.push(`segment ${index + 1} is cut in a line`);
    return lines.slice(1).flatMap(openRecords);
  });
  const records = bySegment.flat();
  for (const [index, record] of records.entries()) {
    if (record?.["n"] !== index + 1) violations.push(`record ${index + 1} is ${record == null ? "torn" : record["n"]}`);
  }
  const whole = (lines: readonly unknown[]): NumberedRecord[] =>
    lines.filter((record): record is NumberedRecord => record !== null);
  const { iterations } = (headers[0]?.["seed"] ?? { iterations: 0 }) as { readonly iterations: number };
  const last = whole(bySegment.at(-1) ?? []);
  return { segments: segments.length, records: whole(records), last, takenOver: iterations, violations };
}
