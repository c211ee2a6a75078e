import { setMaxListeners } from "node:events";
import { notifyCommand, notifyMark } from "../../../adapters/notify-command.ts";
import { endProcesses } from "../../../adapters/processes/end-processes.ts";
import { redactSecrets } from "../../../adapters/processes/redact-secrets.ts";
import { shell } from "../../../adapters/shell.ts";
import type { RunEnded, RunEvent } from "../../../model/event.ts";
import type { Plan } from "../../../model/plan.ts";
import type { RunState } from "../../../model/run-state.ts";
import type { NotifiedEvent, NotifiedOf } from "../../../model/status.ts";
import { lineageOf, type TaskId } from "../../../model/task.ts";
import type { Shell } from "../../../ports/shell.ts";
import { isKnown } from "../../../run/past.ts";
import { clipText, escapeText } from "../../../wording/escape-text.ts";
import { questionHints, sayHints } from "../../../wording/explain-question.ts";
import { renderNotification } from "../../../wording/render-notification.ts";
import { redactResults } from "../executors/redact-replies.ts";
import type { Start } from "./start.ts";

/** Tells a person of what needs them, through a command of theirs. */
export interface Notifier {
  /** Titles are told as this plan has them. */
  show(plan: Plan): void;
  /** Something happens, and is recorded. The run goes on meanwhile. */
  see(event: RunEvent): void;
  /** The start has ended so, which is recorded. Resolves when no command is at work any more. */
  end(ended: RunEnded, state: RunState): Promise<void>;
  /** End the commands that are at work. */
  stop(): Promise<void>;
}

/**
 * What is told is what is recorded as new: a question when it comes up, and an end that people do not know. So a start
 * that goes on says nothing that another has said, whatever it was told to run.
 */
export function notifyPerson(start: NotifiedStart): Notifier {
  const { notify } = start.options;
  return notify === undefined ? silent : notifyBy(notify, start);
}

type NotifiedStart = Pick<Start, "options" | "spec" | "workspace" | "address" | "origin" | "emit">;

const silent: Notifier = { show: () => {}, see: () => {}, end: async () => {}, stop: async () => {} };

function notifyBy(command: string, { options, spec, workspace, address, origin, emit }: NotifiedStart): Notifier {
  const { signal } = options;
  const own = new AbortController();
  const abort = (): void => own.abort();
  // One signal may serve as many runs as a host has.
  if (signal !== undefined) setMaxListeners(0, signal);
  signal?.addEventListener("abort", abort);
  if (signal?.aborted === true) abort();
  const atWork = new Set<Promise<void>>();
  let shown: Plan | null = null;
  let isWarned = false;
  const warn = (why: string | null): void => {
    if (why === null || isWarned) return;
    isWarned = true;
    const told = redactSecrets(process.env)(why);
    emit({ type: "notice", message: `The command of --notify has failed, ${told}. The run does not need it` });
  };
  const titleOf = (task: TaskId | null): string | null => {
    const title = shown?.tasks.find(({ id }) => id === task)?.title;
    return title === undefined ? null : clipText(escapeText(title), longestTitle).text;
  };
  const tell = (
    kind: NotifiedOf,
    event: NotifiedEvent,
    { task, hint }: { readonly task: TaskId | null; readonly hint: string | null },
  ): void => {
    const about = { spec: spec.name, folder: spec.folder, workspace, run: origin.run, task, title: titleOf(task) };
    const at = new Date().toISOString();
    const told = { event: kind, at, ...about, message: renderNotification(spec.name, event, hint), hint };
    const telling = notifyCommand(command, told, own.signal).then(warn);
    atWork.add(telling);
    void telling.finally(() => atWork.delete(telling));
  };
  const idle = async (): Promise<void> => void (await Promise.all(atWork));
  return {
    show: (plan) => {
      shown = plan;
    },
    see: (event) => {
      if (event.type !== "person.asked") return;
      const kind = event.about === "checkpoint" ? "checkpoint" : "person.asked";
      const { task, about } = event;
      const [root] = lineageOf(task, (fix) => shown?.tasks.find(({ id }) => id === fix)?.fixOf);
      const question = { task, root, about };
      // With nobody there the question ends the start.
      const isOver = options.decide === undefined;
      const hints = isOver
        ? questionHints(question, address, { isOver, isNamed: true })
        : sayHints(question, address, false);
      tell(kind, event, { task, hint: hints.join("\n") });
    },
    end: async (ended, state) => {
      const { outcome, hint = null } = ended;
      const isOver = outcome !== "cancelled" && outcome !== "interrupted";
      if (isOver && !isKnown(ended, state, origin.ended)) tell(outcome, ended, { task: null, hint });
      await idle();
    },
    stop: async () => {
      abort();
      signal?.removeEventListener("abort", abort);
      await idle();
    },
  };
}

/** Columns that a title may take. */
const longestTitle = 500;

/**
 * A shell for the commands of a run, without secrets in its results. It remembers which programs exist. Executors
 * install some, so checks before they work need another shell.
 *
 * @param outputs Folder for the outputs.
 */
export const ownShell = (
  { workspace, spec, files, origin }: Pick<Start, "workspace" | "spec" | "files" | "origin">,
  outputs: string,
): Shell =>
  redactResults(
    shell({
      workspace,
      outputFolder: outputs,
      env: { FIXPOINT_SPEC: spec.folder, FIXPOINT_KEY: verifyMark },
      checkFence: files.check,
      passEnv: origin.policy.passEnv ?? [],
      ...(origin.policy.maxOutput !== null && { outputCapBytes: origin.policy.maxOutput }),
    }),
    redactSecrets(process.env),
  );

/** The mark of Verify commands in their environment, by which one that a killed coordinator left is found. */
const verifyMark = "verify";

/**
 * End what a killed coordinator left working: executors, a Verify command, or the command that a person is told by.
 *
 * @param calls Keys of the executors.
 */
export async function endLeftovers(specFolder: string, calls: readonly string[]): Promise<void> {
  for (const mark of [...calls.map(keyMark), keyMark(verifyMark), notifyMark]) {
    await endProcesses({ mark: { FIXPOINT_SPEC: specFolder, ...mark } });
  }
}

const keyMark = (key: string) => ({ FIXPOINT_KEY: key });
