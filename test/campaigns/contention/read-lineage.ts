import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Line, openLine, openRecords } from "../../support/open-line.ts";

export interface Lineage {
  readonly headers: readonly Line[];
  readonly records: readonly Line[];
  readonly misfits: readonly string[];
}

/** Must not use code of the product, because it judges that code. */
export function readLineage(data: string, run: number): Lineage {
  const folder = join(data, `run-${run}`);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const count = names.filter((name) => /^journal-\d+\.ndjson$/.test(name)).length;
  const texts = Array.from({ length: count }, (_, index) => readFileSync(join(folder, `journal-${index + 1}.ndjson`)));
  const headers = texts.map((text) => openLine(text.toString().split("\n")[0] ?? "") ?? {});
  const misfits: string[] = [];
  const records = texts.flatMap((bytes, index) => {
    const after = headers[index + 1]?.["after"] as { segment: number; bytes: number } | undefined;
    if (index + 1 < count && after?.segment !== index + 1) misfits.push(`segment ${index + 2} follows another one`);
    const lines = bytes.subarray(0, after?.bytes).toString().split("\n");
    if (lines.pop() !== "") misfits.push(`segment ${index + 1} does not end with a line`);
    return lines.slice(1).flatMap(openRecords);
  });
  for (const [index, record] of records.entries()) {
    if (record?.["n"] !== index + 1) misfits.push(`record ${index + 1} of run ${run} is ${record?.["n"] ?? "torn"}`);
  }
  return { headers, records: records.filter((record) => record !== null), misfits };
}
