import { setMaxListeners } from "node:events";
import { notifyCommand, notifyMark } from "../../../adapters/notify-command.ts";
import { endProcesses } from "../../../adapters/processes/end-processes.ts";
import { redactSecrets } from "../../../adapters/processes/redact-secrets.ts";
import { shell } from "../../../adapters/shell.ts";
import { rerunsFirstOf } from "../../../effects/reruns-first.ts";
import type { RunMemory } from "../../../effects/run-memory.ts";
import type { RunEnded, RunEvent } from "../../../model/event.ts";
import type { Plan } from "../../../model/plan.ts";
import { projectCheck } from "../../../model/project-check.ts";
import type { RunState } from "../../../model/run-state.ts";
import type { NotifiedEvent, NotifiedOf } from "../../../model/status.ts";
import { lineageOf, type TaskId } from "../../../model/task.ts";
import type { Shell } from "../../../ports/shell.ts";
import { isKnown } from "../../../run/previous-outcome.ts";
import { clipText, escapeText } from "../../../wording/escape-text.ts";
import { questionHints, sayHints } from "../../../wording/explain-question.ts";
import { renderNotification } from "../../../wording/render-notification.ts";
import { redactResults } from "../executors/redact-replies.ts";
import type { Start } from "./start.ts";

export interface Notifier {
  /** Set the plan that contains the titles of tasks. */
  show(plan: Plan): void;
  /** Notify about a recorded event, without delaying the run. @param memory Memory of the run, with this event. */
  see(event: RunEvent, memory: Pick<RunMemory, "hasFailed">): void;
  /** Notify about the recorded end of a start. Resolves when all commands have ended. */
  end(ended: RunEnded, state: RunState): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Create a notifier. The notifier reports only new facts: a question when it comes up, and an ending that is not known
 * yet. So a resumed start does not repeat earlier notifications, whatever its options.
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
  // Many runs of a host may share this signal.
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
    emit({ type: "notice", message: `The --notify command failed (${told}). The run continues without it` });
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
    see: (event, memory) => {
      if (event.type !== "person.asked") return;
      const kind = event.about === "checkpoint" ? "checkpoint" : "person.asked";
      const { task, about } = event;
      const [root] = lineageOf(task, (fix) => shown?.tasks.find(({ id }) => id === fix)?.fixOf);
      const question = { task, root, about };
      // Without `decide` the question ends the start.
      const isOver = options.decide === undefined;
      const isRerun = shown !== null && rerunsFirstOf(shown, projectCheck(origin.policy), memory)(root);
      const hints = isOver
        ? questionHints(question, address, { isOver, isNamed: true, isRerun })
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

/** Maximum width of a title, in columns. */
const longestTitle = 500;

/**
 * Create a shell for the commands of a run that redacts secrets from results. The shell caches which programs exist, so
 * use a second shell for checks before executors work, since executors may install programs.
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

/** Environment mark of Verify commands, used to find a command that a killed coordinator left running. */
const verifyMark = "verify";

/**
 * End processes that a killed coordinator left running: executors, a Verify command, or the notification command.
 *
 * @param calls Keys of the executors.
 */
export async function endLeftovers(specFolder: string, calls: readonly string[]): Promise<void> {
  for (const mark of [...calls.map(keyMark), keyMark(verifyMark), notifyMark]) {
    await endProcesses({ mark: { FIXPOINT_SPEC: specFolder, ...mark } });
  }
}

const keyMark = (key: string) => ({ FIXPOINT_KEY: key });
