import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { pathToFileURL } from "node:url";
import type { Scenario } from "../faults/scenario.ts";
import { floods, others } from "../faults/scenarios.ts";
import { isPossible, startMeasure } from "../faults/start-measure.ts";
import type { BatchResult, Campaign } from "./campaign.ts";

const mebibyte = 2 ** 20;
const smallBytes = 64 * mebibyte;
const largeBytes = 10 * 1024 * mebibyte;

interface Call {
  readonly scenario: Scenario;
  readonly floodBytes: number;
}

type Numbered = Call & { readonly number: number };

const floodsOf = (floodBytes: number): Call[] => floods.map((scenario) => ({ scenario, floodBytes }));
const calls = others.map((scenario) => ({ scenario, floodBytes: smallBytes }));
const flooding = [...floodsOf(smallBytes), ...floodsOf(largeBytes)];

/** Campaign in which trial i is the i-th call, without randomness. CI skips it, because tests make the same calls. */
export const faultsCampaign: Campaign = {
  name: "faults",
  about: "executors that hang, lie, flood or stay: their replies, memory, descriptors and processes",
  counts: "calls",
  trials: [
    {
      name: "misbehaves",
      full: calls.length,
      short: 0,
      batch: 5,
      run: ({ from, count }, { root }) => makeCalls(calls, from, count, root),
    },
    {
      name: "floods with 64 MiB, then with 10 GiB",
      full: flooding.length,
      short: 0,
      batch: 2,
      run: ({ from, count }, { root }) => makeCalls(flooding, from, count, root),
    },
  ],
  hindrance: () => (existsSync("/proc/self/fd") ? null : "it looks for processes in /proc, which is not there"),
};

async function makeCalls(all: readonly Call[], from: number, count: number, root: string): Promise<BatchResult> {
  const { file, remove } = await bundleMeasure(root);
  const batch = all.slice(from, from + count).map((call, index) => ({ ...call, number: from + index }));
  try {
    const results = await (all === flooding
      ? oneByOne(batch, file)
      : Promise.all(batch.map((call) => make(call, file))));
    const counted = (name: string) => results.filter(({ counts }) => counts[name] !== undefined).length;
    return {
      counts: { calls: counted("calls"), skipped: counted("skipped") },
      violations: results.flatMap(({ violations }) => violations),
      notes: results.flatMap(({ notes = [] }) => notes),
      exhausted: from + count >= all.length,
    };
  } finally {
    remove();
  }
}

async function oneByOne(calls: readonly Numbered[], file: string): Promise<BatchResult[]> {
  const results: BatchResult[] = [];
  for (const call of calls) results.push(await make(call, file));
  return results;
}

async function bundleMeasure(root: string): Promise<{ file: string; remove: () => void }> {
  const bundler = pathToFileURL(`${root}/test/support/bundle-file.mjs`).href;
  return (await import(/* @vite-ignore */ bundler)).bundleFile(root, "test/faults/measure.ts");
}

async function make({ scenario, floodBytes, number }: Numbered, file: string): Promise<BatchResult> {
  const obstacle = obstacleTo(scenario, floodBytes);
  if (obstacle !== null)
    return { counts: { skipped: 1 }, violations: [], notes: [`skipped: ${scenario.name}: ${obstacle}`] };
  const { ms, writtenBytes, memoryBytes, violations } = await startMeasure(file, scenario, floodBytes);
  const isFlood = floods.includes(scenario);
  const name = isFlood ? `${scenario.name} (${floodBytes / mebibyte} MiB a flood)` : scenario.name;
  const [written, memory] = [writtenBytes, memoryBytes].map((bytes) => (bytes / 1e6).toFixed(1));
  return {
    counts: { calls: 1 },
    violations: violations.map((what) => `number ${number}: ${name}: ${what}`),
    notes: isFlood ? [`${name}: ${ms} ms, at most ${written} MB on the disk, memory rose by ${memory} MB`] : [],
  };
}

function obstacleTo(scenario: Scenario, floodBytes: number): string | null {
  if (!isPossible(scenario)) return "the machine lacks what it needs";
  if (!floods.includes(scenario)) return null;
  const { bavail, bsize } = statfsSync(tmpdir());
  // Require twice the space of a flood, because other programs need free space too.
  const neededBytes = 2 * Math.max(floodBytes, 256 * mebibyte);
  return bavail * bsize >= neededBytes ? null : `${tmpdir()} has less than ${neededBytes / mebibyte} MiB free`;
}
