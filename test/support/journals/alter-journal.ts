import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { sealed } from "./record-shape.ts";

export type Line = Record<string, unknown>;

export const journals = resolve(import.meta.dirname, "../../fixtures/journals/v7");

export function specWith(
  name: string,
  spec: string,
  change: (lines: Line[]) => readonly Line[] = (lines) => lines,
): string {
  const run = join(spec, ".fixpoint", "run-1");
  mkdirSync(run, { recursive: true });
  const lines = readFileSync(join(journals, name, "journal-1.ndjson"), "utf8")
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .flatMap((line) => recordsIn(JSON.parse(line) as Line));
  const [header, ...records] = change(lines);
  const told = [{ ...header, crc: undefined }, ...records.map(lineOf)].map((line) => `${sealed(line)}\n`);
  writeFileSync(join(run, "journal-1.ndjson"), told.join(""));
  return spec;
}

function recordsIn({ records, ...line }: Line): Line[] {
  if (!Array.isArray(records)) return [line];
  return (records as Line[]).map((record, index) => ({ n: Number(line["n"]) + index, at: line["at"], ...record }));
}

const lineOf = ({ n, at, ...record }: Line): Line => ({ n, at, records: [record] });

export const renumbered = ([header, ...records]: readonly Line[]): Line[] => [
  header as Line,
  ...records.map((record, index) => ({ ...record, n: index + 1 })),
];
