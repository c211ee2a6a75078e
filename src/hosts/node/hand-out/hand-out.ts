import { readJournal } from "../../../adapters/journal/read-journal.ts";
import {
  type HandedOutStore,
  type HandedWork,
  handedOutStore,
  hashOfNonce,
} from "../../../adapters/user/handed-out.ts";
import { findCaller, takerOf } from "../../../adapters/user/speaker.ts";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import { isHandOut } from "../../../effects/executor-chain.ts";
import { InputError } from "../../../model/errors.ts";
import { isPerson } from "../../../model/person-event.ts";
import type { Policy } from "../../../model/policy.ts";
import type { Reply } from "../../../model/reply.ts";
import type { RunState } from "../../../model/run-state.ts";
import { type Delegation, type HandOut, NotReported } from "../../../ports/executor.ts";
import { replayRecords } from "../../../run/previous-start.ts";
import type { SpecFolder } from "../find-spec.ts";
import { readPlanFile } from "../reading/read-plan-file.ts";
import { isHandedOut } from "../reading/recorded-starts.ts";
import type { RunOptions } from "../run-options.ts";
import type { FoundStart } from "../start/find-start.ts";

/**
 * Executor for a start that names no executor: hands tasks out if the run handed out tasks before; otherwise undefined.
 *
 * @param workspace Absolute.
 */
export function standInFor(spec: SpecFolder, workspace: string): HandOut | undefined {
  if (!isHandedOut(spec)) return undefined;
  return handOut({ spec, handed: handedOutStore(userFolder(spec.folder, workspace)) }, () => null);
}

interface Listening {
  readonly onWork?: (work: HandedWork) => void;
  readonly titleOf?: (key: string) => string | undefined;
}

/**
 * Create an executor that hands work out.
 *
 * @param replyTo Returns the report for a key; null if no report has arrived.
 */
export function handOut(
  { spec, handed }: { readonly spec: SpecFolder; readonly handed: HandedOutStore },
  replyTo: (key: string) => Reply | null,
  { onWork = () => {}, titleOf = () => undefined }: Listening = {},
): HandOut {
  const taker = takerOf(findCaller());
  const executor = async ({ key, role, taskId, prompt, workspace }: Delegation): Promise<Reply> => {
    const reply = replyTo(key);
    if (reply !== null) return reply;
    const task = { id: taskId, title: titleOf(key) ?? titleIn(spec, taskId) };
    onWork(handed.keep({ nonce: handed.nonceOf(key, null), key, role, task, workspace, prompt }, taker));
    throw new NotReported(`\`${key}\` is handed out`);
  };
  const nonceHashOf = (key: string, held: string | null): string => hashOfNonce(handed.nonceOf(key, held));
  return Object.assign(executor, { instructions: "tool", nonceHashOf } as const);
}

/** State of the latest run of a spec, from its journal; null if there is no run. */
export const stateOf = ({ dataFolder }: SpecFolder): RunState | null =>
  replayRecords(readJournal(dataFolder, { whole: false }));

function titleIn({ tasksPath }: SpecFolder, id: string): string {
  return readPlanFile(tasksPath).plan.tasks.find((task) => task.id === id)?.title ?? id;
}

/**
 * Refuse to give handed-out work to an executor. A caller without a terminal may be the agent that does the work, so
 * such a caller may not change limits or checks, nor take work back.
 *
 * @throws {InputError} `work-handed-out`, `person-needed`
 */
export function refuseHandedOut(
  { spec: { name }, by, origin: { state, before, policy } }: Pick<FoundStart, "spec" | "by" | "origin">,
  { executors: { executor }, takeOver = false }: Pick<RunOptions, "executors" | "takeOver">,
): void {
  if (state?.outside !== true) return;
  const changed = before === null ? [] : settingsApart(before, policy);
  if (!isPerson(by) && (takeOver || changed.length > 0)) {
    const what = takeOver ? "take back the work of" : `change ${changed.join(", ")} of`;
    throw new InputError(`Cannot ${what} \`${name}\` without a terminal, expected a person: its tasks are handed out`, {
      code: "person-needed",
      hint: "Run the command in another terminal, or omit the option",
    });
  }
  const [open] = Object.entries(state.turn.handedOut);
  if (open === undefined || takeOver || (typeof executor === "function" && isHandOut(executor))) return;
  const [key, { since }] = open;
  const when = new Date(since).toISOString();
  throw new InputError(`Cannot run \`${name}\`: ${key} was handed out at ${when} and is not reported yet`, {
    code: "work-handed-out",
    ways: [
      { say: "Wait for its report with `fixpoint report`" },
      { say: "Or take the work back, if no one works on it any more", words: ["--take-over"] },
    ],
  });
}

const settingsApart = (before: Policy, now: Policy): string[] =>
  (Object.keys(now) as (keyof Policy)[]).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
