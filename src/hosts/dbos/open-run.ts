import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openJournal } from "../../adapters/journal/journal.ts";
import { readJournal } from "../../adapters/journal/read-journal.ts";
import { takeSpecLease } from "../../adapters/lease/spec-lease.ts";
import { openPlan } from "../../markdown/document/plan-document.ts";
import { readPolicy } from "../../model/policy.ts";
import { hashOf } from "../node/consent/verify-commands.ts";
import type { FleetStep } from "./coordinate.ts";
import { unknownRun } from "./fleet.ts";
import { applyEdits, type Papers, writePapers } from "./papers.ts";
import { type FleetRun, workflows } from "./protocol.ts";
import { type Client, openQueue } from "./sdk.ts";

/**
 * Write what the engine holds of a run as the files of a run on one machine, for all that reads those.
 *
 * @returns The folder of the spec, and what removes it.
 * @throws {InputError} `run-unknown`, `queue-invalid`
 * @throws {EnvironmentError} `engine-missing`, `queue-unreachable`, `queue-newer`
 */
export async function openFleetRun(
  queue: string,
  run: string,
): Promise<{ readonly folder: string; readonly close: () => void }> {
  const { client, close } = await openQueue(queue);
  try {
    const found = await client.getWorkflow(run);
    if (found === undefined || found.workflowName !== workflows.run)
      throw unknownRun("read", run, "a run of this fleet");
    const made = await stepsOf(client, run);
    if (made.length === 0) throw unknownRun("read", run, "a run that a worker has begun");
    const submitted = found.input?.[0] as FleetRun;
    const top = mkdtempSync(join(tmpdir(), "fixpoint-fleet-run-"));
    const folder = join(top, basename(submitted.spec) || run);
    const leave = write(folder, submitted, made);
    return {
      folder,
      close: () => {
        leave();
        rmSync(top, { recursive: true, force: true });
      },
    };
  } finally {
    await close();
  }
}

/** What the steps of a run have kept, oldest first. */
export async function readSteps(queue: string, run: string): Promise<readonly FleetStep[]> {
  const { client, close } = await openQueue(queue);
  try {
    return await stepsOf(client, run);
  } finally {
    await close();
  }
}

async function stepsOf(client: Client, run: string): Promise<readonly FleetStep[]> {
  const steps = (await client.listWorkflowSteps(run)) ?? [];
  const made = steps.map(({ output }) => output as FleetStep | null);
  return made.filter((step): step is FleetStep => typeof step?.at === "number");
}

function write(folder: string, { policy }: FleetRun, steps: readonly FleetStep[]): () => void {
  const data = join(folder, ".fixpoint");
  mkdirSync(data, { recursive: true });
  const papers: Papers = new Map();
  applyEdits(papers, steps[0]?.edits ?? []);
  const first = papers.get("tasks.md") ?? "";
  const open = openPlan(first).plan.tasks.filter(({ done, isGroup }) => !done && isGroup !== true).length;
  for (const { edits = [] } of steps.slice(1)) applyEdits(papers, edits);
  writePapers(folder, papers);
  const lease = takeSpecLease(data, { takeOver: false });
  const journal = openJournal(
    readJournal(data),
    1,
    { policy: readPolicy(policy), planHash: hashOf(first), open },
    lease,
  );
  for (const { at, records = [] } of steps) if (records.length > 0) journal.append(records, { durable: false, at });
  journal.close();
  // Whoever reads it takes a run that somebody holds for one that goes on.
  if (steps.some(({ records = [] }) => records.some(({ type }) => type === "ended"))) lease.release();
  return lease.release;
}
