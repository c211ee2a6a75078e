import { readFileSync, readlinkSync, realpathSync } from "node:fs";
import { isatty } from "node:tty";
import type { Speaker } from "../../model/person-event.ts";
import type { ProcessIdentity } from "../processes/process-identity.ts";
import { type Ancestry, findAncestry, openTable } from "../processes/process-table.ts";
import { type RecordedCall, recordedCallsOf } from "./call-record.ts";

export interface Addressed {
  readonly spec: string;
  /** Null if no coordinator is running on this machine. */
  readonly coordinator: ProcessIdentity | null;
}

/** The sender of messages through this process. `call` is the key of the call that the sender belongs to. */
export type SpokenFrom =
  | { readonly speaker: Speaker & { readonly kind: "terminal" | "program" }; readonly call: null }
  | { readonly speaker: Speaker & { readonly kind: "run" }; readonly call: string };

/**
 * Identify the sender of messages through this process.
 *
 * A call of the run speaks for the run itself, with or without a terminal. Three things identify a call: a child of the
 * coordinator that leads its own process group, a recorded process, or `FIXPOINT_KEY`. The search covers this process,
 * its ancestors, and the leaders of their groups and sessions. If the system lists no processes, a message to a running
 * run may always come from a call.
 *
 * A person is recognized only at the controlling terminal, since processes of other sessions can open a terminal, too.
 */
export function whoSpeaks(addressed: Addressed, caller = findCaller()): SpokenFrom {
  const { by } = caller;
  const call = callOf(addressed, caller);
  if (call !== null) return { speaker: { kind: "run", ...by }, call };
  return { speaker: { kind: by.terminal === null ? "program" : "terminal", ...by }, call };
}

export interface Caller {
  readonly by: Omit<Speaker, "kind">;
  /** Null if the system lists no processes. */
  readonly ancestry: Ancestry | null;
  /** Environment variables that mark calls: those of this process, then of its ancestors, nearest first. */
  readonly marks: readonly Variables[];
  readonly calls: readonly RecordedCall[];
}

export function findCaller(table = openTable()): Caller {
  const ancestry = table && findAncestry(table);
  const terminal = ancestry === null || ancestry.line[0]?.terminal === true ? terminalName() : null;
  const pid = process.ppid;
  const environments = ancestry?.line.map((relative) => variablesOf(table?.environment(relative.pid) ?? null)) ?? [];
  return {
    by: { terminal, process: commandName(pid), pid },
    ancestry,
    marks: [process.env, ...environments],
    calls: ancestry === null ? [] : recordedCallsOf(ancestry),
  };
}

/** Programs that only start other programs, and so are not the sender. */
const launchers = /^(?:(?:ba|da|z|fi|k)?sh|env|timeout|nice|nohup|setsid|script|sudo|npm\b.*|npx\b.*)$/;

/**
 * The process that called this process, skipping shells and other launchers: an agent or orchestrator. Null for a
 * person at a terminal, and if the system lists no processes.
 */
export function takerOf({ by, ancestry }: Pick<Caller, "by" | "ancestry">): ProcessIdentity | null {
  if (by.terminal !== null || ancestry === null) return null;
  const at = (pid: number | undefined) => ancestry.line.find((each) => each.pid === pid);
  let found = at(ancestry.line[0]?.parent);
  while (found !== undefined && launchers.test(commandName(found.pid) ?? "")) found = at(found.parent);
  return found === undefined || found.pid <= 1 ? null : { pid: found.pid, pidStart: found.pidStart };
}

export const comesFrom = ({ ancestry }: Pick<Caller, "ancestry">, processes: readonly ProcessIdentity[]): boolean =>
  processes.some(({ pid, pidStart }) =>
    ancestry?.line.some((each) => each.pid === pid && (pidStart === null || each.pidStart === pidStart)),
  );

/** Key of a call that is known only by its process. */
const unknownCall = "unknown";

/** Key if the system lists no processes, so that any message may come from a call. */
export const unlistedCall = "unlisted";

function callOf({ spec, coordinator }: Addressed, { ancestry, marks, calls }: Caller): string | null {
  const folder = realPath(spec);
  const marked = marks.find(
    // A call without a spec name may belong to this spec.
    ({ FIXPOINT_KEY: key, FIXPOINT_SPEC: named }) =>
      key !== undefined && (named === undefined || realPath(named) === folder),
  );
  if (marked?.["FIXPOINT_KEY"] !== undefined) return marked["FIXPOINT_KEY"];
  if (ancestry === null) return coordinator === null ? null : unlistedCall;
  const recorded = calls.find((call) => realPath(call.spec) === folder);
  if (recorded !== undefined) return recorded.key;
  return coordinator !== null && isCalledBy(coordinator, ancestry) ? unknownCall : null;
}

/**
 * Whether this process descends from a child of the coordinator, if that child leads its own process group. Children in
 * the coordinator's group are not calls.
 */
function isCalledBy({ pid, pidStart }: ProcessIdentity, { line }: Ancestry): boolean {
  const found = line.find((relative) => relative.pid === pid);
  if (found === undefined) return false;
  const isAnother = pidStart !== null && found.pidStart !== null && pidStart !== found.pidStart;
  return !isAnother && line.some(({ parent, group }) => parent === pid && group !== found.group);
}

type Variables = Readonly<Record<string, string | undefined>>;

function variablesOf(environment: string | null): Variables {
  const found: Record<string, string> = {};
  for (const entry of Buffer.from(environment ?? "", "latin1")
    .toString("utf8")
    .split("\0")) {
    const at = entry.indexOf("=");
    const name = entry.slice(0, at);
    // Of entries with the same name, use the first, as in getenv.
    if (at > 0 && name.startsWith("FIXPOINT_")) found[name] ??= entry.slice(at + 1);
  }
  return found;
}

function commandName(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return null;
  }
}

function terminalName(): string | null {
  const stream = [0, 1, 2].find((fd) => isatty(fd));
  if (stream === undefined) return null;
  try {
    return readlinkSync(`/proc/self/fd/${stream}`);
  } catch {
    return "/dev/tty";
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
