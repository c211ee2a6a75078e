import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../../src/adapters/files/folder.ts";
import { type Journal, openJournal, type StartFacts } from "../../src/adapters/journal/journal.ts";
import type { JournalReading } from "../../src/adapters/journal/read-journal.ts";
import { type Lease, leaseFolder, takeLease } from "../../src/adapters/lease/lease.ts";
import { ownClaim } from "../../src/adapters/lease/spec-lease.ts";

export function forcedLease(dataFolder: string): Lease {
  const folder = join(dataFolder, "lease");
  makeFolder(folder);
  const claim = { who: ownClaim(dirname(dataFolder)), isAtWork: () => false, excludes: () => true };
  return takeLease(leaseFolder(folder), claim) as Lease;
}

export const takeJournal = (reading: JournalReading, run: number, facts: StartFacts): Journal =>
  openJournal(reading, run, facts, forcedLease(reading.base));

export function forgeHolder(dataFolder: string, facts: object): void {
  const folder = join(dataFolder, "lease");
  const latest = Math.max(...readdirSync(folder).map(Number).filter(Number.isInteger));
  const path = join(folder, String(latest), "holders.json");
  const holders = JSON.parse(readFileSync(path, "utf8")) as object[];
  writeFileSync(path, JSON.stringify(holders.map((holder) => ({ ...holder, ...facts }))));
}
