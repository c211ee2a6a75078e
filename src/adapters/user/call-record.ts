import { randomUUID } from "node:crypto";
import { lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { FixpointError } from "../../model/errors.ts";
import { interpreted } from "../../model/parse-json.ts";
import { makeFolder } from "../files/folder.ts";
import { readOwnFile } from "../files/read-own-file.ts";
import { bootId, identifyProcess, isAlive, type ProcessIdentity } from "../processes/process-identity.ts";
import type { Ancestry, Process } from "../processes/process-table.ts";
import { hasGroup } from "../processes/process-table.ts";
import { userBase } from "./user-folder.ts";

const RecordedCall = z.strictObject({
  spec: z.string(),
  key: z.string(),
  coordinator: z.strictObject({ pid: z.int(), pidStart: z.string().nullable() }),
  /** Boot id of the machine at the call; null if the system has none. */
  boot: z.string().nullable(),
  /** Time right before the start of the call, in seconds since boot and since 1970. */
  at: z.strictObject({ uptime: z.number(), epoch: z.number() }),
});
export type RecordedCall = z.infer<typeof RecordedCall>;

export interface CallRecord {
  /** Record the first process of the call. */
  begin(leader: ProcessIdentity): void;
  end(): void;
}

/** A record without a process id belongs to a call whose coordinator was killed while starting it. */
const recordName = /^(?:(\d+)-(\d*)|begun-[0-9a-f-]{36})\.json$/;

/**
 * Record a running call in the user's folder, with the id and start time of its first process. If the coordinator is
 * killed, the record still identifies messages from the call.
 */
export function recordCall(call: Pick<RecordedCall, "spec" | "key">): CallRecord {
  try {
    const folder = join(userBase([]), "calls");
    makeFolder(folder, 0o700);
    let path = join(folder, `begun-${randomUUID()}.json`);
    const at = { uptime: uptime(), epoch: Date.now() / 1000 };
    const coordinator = identifyProcess(process.pid);
    writeFileSync(path, JSON.stringify({ ...call, coordinator, boot: bootId(), at }), { mode: 0o600 });
    return {
      begin: ({ pid, pidStart }) =>
        orNothing(() => {
          const named = join(folder, `${pid}-${pidStart ?? ""}.json`);
          renameSync(path, named);
          path = named;
        }),
      end: () => orNothing(() => rmSync(path, { force: true })),
    };
  } catch {
    return { begin: () => {}, end: () => {} };
  }
}

/** Ignore errors: without a record, a call is still recognized by its coordinator and its environment. */
function orNothing(act: () => void): void {
  try {
    act();
  } catch {
    // The folder was removed, or the disk is full.
  }
}

export const recordedCallsOf = (ancestry: Ancestry): RecordedCall[] =>
  records().flatMap(({ call, leader }) => {
    if (call === null || call.boot !== bootId()) return [];
    return isFrom(ancestry, call, leader) ? [call] : [];
  });

/**
 * Remove records of calls that ended without their coordinator.
 *
 * @param spec Spec whose lease this process has just taken. Records without a process id are removed only for this
 *   spec.
 */
export function forgetEndedCalls(spec: string): void {
  for (const { path, call, leader } of records()) {
    const isOver =
      leader === null ? call?.spec === spec && !isAlive(call.coordinator) : !isAlive(leader) && !hasGroup(leader.pid);
    if (isOver) rmSync(path, { force: true });
  }
}

interface Recorded {
  readonly path: string;
  readonly call: RecordedCall | null;
  readonly leader: ProcessIdentity | null;
}

function records(): Recorded[] {
  const folder = callsFolder();
  if (folder === null) return [];
  return readdirSync(folder).flatMap((name) => {
    const [found, pid, start = ""] = recordName.exec(name) ?? [];
    if (found === undefined) return [];
    const leader = pid === undefined ? null : { pid: Number(pid), pidStart: start === "" ? null : start };
    const path = join(folder, name);
    return [{ path, call: readCall(path), leader }];
  });
}

function callsFolder(): string | null {
  try {
    const folder = join(userBase([]), "calls");
    return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? folder : null;
  } catch (error) {
    if (error instanceof FixpointError) return null;
    throw error;
  }
}

function isFrom({ line, ended }: Ancestry, call: RecordedCall, leader: ProcessIdentity | null): boolean {
  if (leader === null) return !isAlive(call.coordinator) && line.some((one) => leads(one) && isBegunAt(one, call));
  if (ended.includes(leader.pid)) return true;
  return line.some(
    (one) =>
      one.pid === leader.pid && (one.pidStart === null ? isBegunAt(one, call) : one.pidStart === leader.pidStart),
  );
}

const leads = ({ pid, group }: Process): boolean => pid === group;

/** Whether a process started right after a call was recorded. */
function isBegunAt({ pidStart, second }: Process, { at }: RecordedCall): boolean {
  const after = second === null ? Number(pidStart) / ticksPerSecond - at.uptime : second - at.epoch;
  // Allow for `ps`, which cuts off fractions of a second, and derives the time from a boot time in whole seconds.
  return after > (second === null ? -1 : -3) && after < 5;
}

const ticksPerSecond = 100;

function readCall(path: string): RecordedCall | null {
  try {
    return RecordedCall.parse(JSON.parse(readOwnFile(path) ?? ""), interpreted);
  } catch {
    return null;
  }
}
