import { fileState } from "../../../adapters/file-state.ts";
import { type OpenTrees, trees } from "../../../adapters/git/trees.ts";
import { type Inbox, rejectedNote } from "../../../adapters/user/inbox.ts";
import { dropOldTrees, treesOfRun } from "../../../adapters/user/run-trees.ts";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import { plainLine } from "../../../markdown/text/plain-line.ts";
import { isLost } from "../../../model/errors.ts";
import { isForNow, type Speaker, type UnheardWord } from "../../../model/person-event.ts";
import { type TimedRunRecord, wordOf } from "../../../model/record.ts";
import type { RunControl } from "../../../runtime/run-control.ts";
import type { Start } from "./start.ts";

/** Time between two reads of the inbox. */
const lookMs = 250;

/**
 * Deliver the inbox to a run, and record messages that were refused because they came from inside the run. A message is
 * removed once the run has recorded it.
 *
 * @param keep Records a refused message. If it throws, the message is passed again later.
 * @returns A function that ends the watch, after a last look for refused messages.
 */
export function pollInbox(
  { box, dataFolder }: { readonly box: Inbox; readonly dataFolder: string },
  control: RunControl,
  keep: (word: UnheardWord) => void,
): () => void {
  const unheard = rejectedNote(dataFolder);
  const unkept: UnheardWord[] = [];
  const passed = new Set<string>();
  const lookForWords = (): void => {
    for (const { id, event, to, by } of box.read()) {
      if (event.type === "stop" || passed.has(id)) continue;
      passed.add(id);
      const onHeard = (): void => orElse(() => box.remove(id), undefined);
      control.send(event, { ...by, word: id }, { to, onHeard });
    }
  };
  const lookForRefusals = (): void => {
    if (unheard.isThere()) {
      const word = unheard.read();
      if (unheard.remove() && word !== null) unkept.push(word);
    }
    for (const next of [...unkept]) {
      keep(next);
      unkept.shift();
    }
  };
  // Ignore a folder that cannot be read or written: if the run needs it, the run itself fails.
  const look = (): void => {
    orElse(lookForWords, undefined);
    orElse(lookForRefusals, undefined);
  };
  look();
  // The timer also keeps the process of a paused run alive.
  const timer = setInterval(look, lookMs);
  return () => {
    clearInterval(timer);
    orElse(lookForRefusals, undefined);
  };
}

/**
 * Remove stale messages: messages for another run, messages only for the previous start, and messages recorded by a
 * start that was killed before removing them. Only the holder of the spec may call this.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export function discardStale(box: Inbox, run: number, records: readonly TimedRunRecord[]): void {
  for (const word of box.read()) {
    const isHeard = records.some((record) => wordOf(record) === word.id);
    if (word.run !== run || isForNow(word) || isHeard) box.remove(word.id);
  }
}

export function takeStop(box: Inbox): Speaker | null {
  const stops = box.read().filter(({ event }) => event.type === "stop");
  for (const { id } of stops) box.remove(id);
  return stops[0]?.by ?? null;
}

function orElse<Result>(look: () => Result, otherwise: Result): Result {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

/** Time between two checks of the lease. */
const fenceMs = 250;

interface FenceWatch {
  /** Aborts when the run's own signal aborts or, with an error about the lost lease, when the lease is lost. */
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * Stop a run that no longer holds its spec: its executors could work for hours alongside the executors of another run.
 *
 * @param checkHeld Throws when this coordinator no longer holds the spec.
 * @param stop The run's own signal.
 */
export function watchFence(checkHeld: () => void, stop: AbortSignal | undefined): FenceWatch {
  const own = new AbortController();
  const interrupt = (): void => own.abort(stop?.reason);
  if (stop?.aborted === true) interrupt();
  // Avoid `AbortSignal.any`: Node keeps a combined signal alive as long as it has a listener.
  stop?.addEventListener("abort", interrupt);
  const look = (): void => {
    try {
      checkHeld();
    } catch (error) {
      // Ignore a file that cannot be read now: if the file stays unreadable, the next write fails.
      if (isLost(error)) own.abort(error);
    }
  };
  const timer = setInterval(look, fenceMs).unref();
  return {
    signal: own.signal,
    end: () => {
      clearInterval(timer);
      stop?.removeEventListener("abort", interrupt);
    },
  };
}

/** Hash the files of a workspace; report once if there are too many. */
export const watchFiles = ({ workspace, spec, guard, emit }: Pick<Start, "workspace" | "spec" | "guard" | "emit">) =>
  fileState({
    workspace,
    specFolder: spec.folder,
    programs: guard.programs,
    onTooMuch: () => emit({ type: "notice", message }),
  });

/** Keep the contents of a workspace during a run; if that is not possible, a notice says why. */
export function watchTrees(
  { workspace, spec, emit }: Pick<Start, "workspace" | "spec" | "emit">,
  run: string,
): OpenTrees {
  const place = userFolder(spec.folder, workspace);
  dropOldTrees(place, spec.dataFolder);
  return trees({
    workspace,
    specFolder: spec.folder,
    folder: treesOfRun(place, run),
    onUnknown: (reason) =>
      emit({
        type: "notice",
        message: `The changes in the workspace are unknown, and attempts are not kept: ${plainLine(reason, 300)}`,
      }),
  });
}

const message =
  "The workspace has more files than can be watched outside of git: only the Files of a task show whether it changed anything";
