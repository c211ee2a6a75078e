import { readFileSync, readlinkSync, realpathSync } from "node:fs";
import { isatty } from "node:tty";
import type { Speaker } from "../../model/person-event.ts";
import { type Ancestry, findAncestry } from "../processes/ancestry.ts";
import { openTable } from "../processes/open-table.ts";
import type { ProcessIdentity } from "../processes/process-identity.ts";
import { type RecordedCall, recordedCallsOf } from "./call-record.ts";

/** A spec, and the coordinator that runs it. */
export interface Addressed {
  /** Folder of the spec. */
  readonly spec: string;
  /** Null when none is at work on this machine. */
  readonly coordinator: ProcessIdentity | null;
}

/** Who speaks through this process, and which call of the run it comes from: null for none. */
export type SpokenFrom =
  | { readonly speaker: Speaker & { readonly kind: "terminal" | "program" }; readonly call: null }
  | { readonly speaker: Speaker & { readonly kind: "run" }; readonly call: string };

/**
 * Find out who speaks through this process to the run of a spec.
 *
 * What comes from a call of the run is the run itself, with a terminal or without. It is recognised by any of these: a
 * child of the coordinator that leads a group of its own, as each call does; the recorded process of a call; the
 * `FIXPOINT_KEY` that a call is started with. They are sought in this process, its ancestors, and the leaders of their
 * groups and sessions. If the system lists no processes, nothing shows that a message comes from outside of a run at work.
 *
 * A person is at a terminal if it is the controlling one: a process of another session can open it, too.
 */
export function whoSpeaks(addressed: Addressed, caller = findCaller()): SpokenFrom {
  const { by } = caller;
  const call = callOf(addressed, caller);
  if (call !== null) return { speaker: { kind: "run", ...by }, call };
  return { speaker: { kind: by.terminal === null ? "program" : "terminal", ...by }, call };
}

/** What this process comes from, whatever spec it speaks to. */
export interface Caller {
  readonly by: Omit<Speaker, "kind">;
  /** Null if the system lists no processes. */
  readonly ancestry: Ancestry | null;
  /** The variables that mark calls, of this process and what it comes from, nearest first. */
  readonly marks: readonly Variables[];
  readonly calls: readonly RecordedCall[];
}

/** List what this process comes from, and the marks of calls on it. */
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

/** What starts other programs, and is not who wants something of them. */
const launchers = /^(?:(?:ba|da|z|fi|k)?sh|env|timeout|nice|nohup|setsid|script|sudo|npm\b.*|npx\b.*)$/;

/**
 * The process that has called this one, past shells and other launchers: an agent, an orchestrator. Null for a person at a
 * terminal, and where the system lists no processes.
 */
export function takerOf({ by, ancestry }: Pick<Caller, "by" | "ancestry">): ProcessIdentity | null {
  if (by.terminal !== null || ancestry === null) return null;
  const at = (pid: number | undefined) => ancestry.line.find((each) => each.pid === pid);
  let found = at(ancestry.line[0]?.parent);
  while (found !== undefined && launchers.test(commandName(found.pid) ?? "")) found = at(found.parent);
  return found === undefined || found.pid <= 1 ? null : { pid: found.pid, pidStart: found.pidStart };
}

/** Whether this process comes from one of these. */
export const comesFrom = ({ ancestry }: Pick<Caller, "ancestry">, processes: readonly ProcessIdentity[]): boolean =>
  processes.some(({ pid, pidStart }) =>
    ancestry?.line.some((each) => each.pid === pid && (pidStart === null || each.pidStart === pidStart)),
  );

/** In place of the key of a call that is known by its process alone. */
const unknownCall = "unknown";

/** In place of a key if the system lists no processes, so that any message may come from a call. */
export const unlistedCall = "unlisted";

function callOf({ spec, coordinator }: Addressed, { ancestry, marks, calls }: Caller): string | null {
  const folder = realPath(spec);
  const marked = marks.find(
    // A call that names no spec may be one for this spec.
    ({ FIXPOINT_KEY: key, FIXPOINT_SPEC: named }) =>
      key !== undefined && (named === undefined || realPath(named) === folder),
  );
  if (marked?.["FIXPOINT_KEY"] !== undefined) return marked["FIXPOINT_KEY"];
  if (ancestry === null) return coordinator === null ? null : unlistedCall;
  const recorded = calls.find((call) => realPath(call.spec) === folder);
  if (recorded !== undefined) return recorded.key;
  return coordinator !== null && isCalledBy(coordinator, ancestry) ? unknownCall : null;
}

/** Whether a child of the coordinator, in a group of its own, is among them. A program that drives runs has others, too. */
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
    // The first of two entries with the same name counts, as for getenv.
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

/** The name of the terminal that one of the standard streams is; `/dev/tty` if names cannot be read. */
function terminalName(): string | null {
  const stream = [0, 1, 2].find((fd) => isatty(fd));
  if (stream === undefined) return null;
  try {
    return readlinkSync(`/proc/self/fd/${stream}`);
  } catch {
    return "/dev/tty";
  }
}

/** A folder that does not exist is only itself. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
