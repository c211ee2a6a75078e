import { readFileSync, readlinkSync, realpathSync } from "node:fs";
import { isatty } from "node:tty";
import type { Speaker } from "../../model/speaker.ts";

/** Who speaks through this process: the process that has called it, and its terminal. */
export function whoSpeaks(): Speaker {
  const pid = process.ppid;
  return { terminal: terminalName(), process: read(`${pid}/comm`)?.trim() ?? null, pid };
}

/**
 * The call of a run that this process was started in, by its `FIXPOINT_KEY`: that of an executor or of a Verify
 * command. Null when it was started in no call for that spec.
 *
 * The environment of this process is read, and those of all its ancestors, which a child cannot change. Without `/proc`
 * only its own.
 *
 * @param spec Folder of the spec.
 */
export function findCall(spec: string): string | null {
  const folder = realPath(spec);
  for (const environment of environments()) {
    const { FIXPOINT_KEY: key, FIXPOINT_SPEC: marked } = environment;
    // A call that names no spec may be one for this spec.
    if (key !== undefined && (marked === undefined || realPath(marked) === folder)) return key;
  }
  return null;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The current environment of this process, the one it was started with, and those that its ancestors were started with,
 * nearest first.
 */
function* environments(): Generator<Environment> {
  yield process.env;
  const seen = new Set<string>();
  for (let pid: string | undefined = "self"; pid !== undefined && !seen.has(pid); pid = parentOf(pid)) {
    seen.add(pid);
    const text = read(`${pid}/environ`);
    if (text !== null) yield variablesIn(text);
  }
}

function variablesIn(text: string): Environment {
  const found: Record<string, string> = {};
  for (const entry of text.split("\0")) {
    const at = entry.indexOf("=");
    const name = entry.slice(0, at);
    // The first of two entries with the same name counts, as for getenv.
    if (at > 0 && name.startsWith("FIXPOINT_")) found[name] ??= entry.slice(at + 1);
  }
  return found;
}

/** `pid (name) state parent …`, where the name may hold anything. */
function parentOf(pid: string): string | undefined {
  const stat = read(`${pid}/stat`);
  const parent = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
  return parent === "0" ? undefined : parent;
}

function read(path: string): string | null {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return null;
  }
}

/** The name of the terminal behind one of the standard streams; `/dev/tty` where names cannot be read. */
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
