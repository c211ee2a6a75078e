import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { ProcessIdentity } from "../../adapters/processes/process-identity.ts";
import { comesFrom, findCaller } from "../../adapters/user/speaker.ts";
import { InputError } from "../../model/errors.ts";
import { isPerson, type PersonEvent, type Speaker } from "../../model/person-event.ts";
import { countOf } from "../../model/text.ts";
import { type FleetMessage, inbox, type ShownQuestion, type ShownRun, workflows } from "./protocol.ts";
import { type Database, daySpent, findRun, fleetVersion, nextDay, type Opened, openQueue, spentToday } from "./sdk.ts";

/** A fleet at one moment. */
export interface Fleet {
  readonly workers: readonly FleetWorker[];
  readonly runs: readonly (ShownRun & { readonly run: string })[];
  /** Runs that no worker has taken yet. */
  readonly waiting: readonly string[];
  /** Numbers of jobs by executor: jobs that wait for a slot, and jobs that are being done. */
  readonly jobs: Readonly<Record<string, { readonly waiting: number; readonly atWork: number }>>;
  /** Reasons why something waits, one line each. */
  readonly notes: readonly string[];
}

export interface FleetWorker {
  readonly id: string;
  readonly host: string;
  readonly executors: readonly string[];
  readonly slots: number;
  readonly version: string;
  /** Maximum dollars per day for each executor of the worker; null for no limit. */
  readonly perDay: number | null;
  /** Milliseconds without a beat after which the worker counts as dead. */
  readonly leaseMs: number;
  /** Seconds since the worker's last beat. */
  readonly beatS: number;
}

interface WorkerFacts extends ProcessIdentity {
  readonly host: string;
}

/**
 * Read the state of a fleet.
 *
 * @throws {InputError} `queue-invalid`
 * @throws {EnvironmentError} `engine-missing`, `queue-unreachable`, `queue-newer`
 */
export async function readFleet(queue: string): Promise<Fleet> {
  const opened = await openQueue(queue);
  try {
    return await look(opened);
  } finally {
    await opened.close();
  }
}

async function look({ database, client }: Opened): Promise<Fleet> {
  const all = await database.query(
    "select id, facts, extract(epoch from now() - at)::int as beat from fixpoint.workers order by id",
  );
  const workers = all.rows.map(
    ({ id, facts, beat }) => ({ id: String(id), ...(facts as object), beatS: Number(beat) }) as FleetWorker,
  );
  const shown = await database.query("select id, shown from fixpoint.runs order by at");
  const runs = shown.rows.map(({ id, shown: run }) => ({ run: String(id), ...(run as ShownRun) }));
  const open = await client.listWorkflows({ status: ["ENQUEUED", "PENDING"], loadInput: false, loadOutput: false });
  const jobs: Record<string, { readonly waiting: number; readonly atWork: number }> = {};
  for (const { workflowName, queueName = "", status } of open) {
    if (workflowName !== workflows.job) continue;
    const executor = queueName.replace(/^fixpoint-jobs-/, "");
    const { waiting, atWork } = jobs[executor] ?? { waiting: 0, atWork: 0 };
    jobs[executor] = status === "PENDING" ? { waiting, atWork: atWork + 1 } : { waiting: waiting + 1, atWork };
  }
  const known = new Set(runs.map(({ run }) => run));
  const unseen = open.filter(
    ({ workflowName, workflowID }) => workflowName === workflows.run && !known.has(workflowID),
  );
  const held = await database.query("select executor, until, why from fixpoint.blocked where until > $1", [Date.now()]);
  const spent = await database.query(spentToday);
  // The row of a dead worker stays until another worker deletes it.
  const alive = workers.filter(({ beatS, leaseMs }) => beatS * 1000 <= leaseMs);
  const notes = [
    ...Object.entries(jobs).flatMap(([executor, { waiting }]) =>
      waiting > 0 && !alive.some(({ executors }) => executors.includes(executor))
        ? [
            `${countOf(waiting, "job waits", "jobs wait")} for a worker with the executor ${executor}: fixpoint worker --executor ${executor}`,
          ]
        : [],
    ),
    ...(alive.length === 0 && unseen.length > 0
      ? [`${countOf(unseen.length, "run waits", "runs wait")} for a worker: fixpoint worker --executor …`]
      : []),
    ...[...new Set(open.map(({ applicationVersion = "" }) => applicationVersion))].flatMap((version) =>
      (alive.length === 0 && version === fleetVersion()) || alive.some((worker) => worker.version === version)
        ? []
        : [`Work begun by version ${version} waits for a worker of that version; this is version ${fleetVersion()}`],
    ),
    ...held.rows.map(
      ({ executor, until, why }) =>
        `${String(executor)} waits until ${new Date(Number(until)).toISOString()}: ${String(why)}`,
    ),
    ...spent.rows.flatMap(({ executor, usd }) => {
      const limits = workers.filter(({ executors }) => executors.includes(String(executor)));
      const perDay = Math.min(...limits.map((worker) => worker.perDay ?? Number.POSITIVE_INFINITY));
      if (Number(usd) < perDay) return [];
      const until = new Date(nextDay()).toISOString();
      return [
        `${String(executor)} waits until ${until}: ${daySpent(perDay)}. Start its workers with a higher --per-day`,
      ];
    }),
  ];
  return { workers, runs, waiting: unseen.map(({ workflowID }) => workflowID), jobs, notes };
}

/**
 * Send a message to a run, which receives it once. Only a person at a terminal may answer the question of a task.
 *
 * @param task The task whose question the message answers (by default the task of the oldest question).
 * @throws {InputError} `run-unknown`, `nothing-to-decide`, `person-needed`, `own-gate`, `queue-invalid`
 * @throws {EnvironmentError} `engine-missing`, `queue-unreachable`, `queue-newer`
 */
export async function sayToRun(queue: string, run: string, event: PersonEvent, task?: string): Promise<void> {
  const opened = await openQueue(queue);
  try {
    const by = await findSpeaker(opened, `say ${nameOfMessage(event)}`, run);
    await sendMessage(opened, run, { event, by, task });
  } finally {
    await opened.close();
  }
}

/** Send a message whose sender is known. @throws {InputError} `run-unknown`, `nothing-to-decide`, `person-needed` */
export async function sendMessage(
  { client, database }: Opened,
  run: string,
  { event, by, task }: { readonly event: PersonEvent; readonly by: Speaker; readonly task?: string | undefined },
): Promise<void> {
  if ((await findRun(client, run))?.isOver !== false) {
    throw unknownRun("send a message to", run, "a run that has not ended");
  }
  const question = questionFor(run, event, await questionsOf(database, run), task);
  if (question !== null && question.task !== null && !isPerson(by)) {
    throw personNeeded(run, nameOfMessage(event), question.task);
  }
  const word = randomUUID();
  const about =
    question === null
      ? { event: event.type === "decision.made" ? ({ type: "cancel" } as const) : event }
      : { event, to: question.key };
  await client.send<FleetMessage>(run, { kind: "word", by: { ...by, word }, ...about }, inbox, word);
}

/**
 * Find out who sends messages to a run through this process: a person at a terminal, or a program.
 *
 * @throws {InputError} `own-gate` inside a call of a worker, such as an agent
 */
export async function findSpeaker({ database }: Opened, message: string, run: string): Promise<Speaker> {
  const caller = findCaller();
  const { rows } = await database.query("select facts from fixpoint.workers");
  const here = rows.map(({ facts }) => facts as WorkerFacts).filter(({ host }) => host === hostname());
  const workers = here.filter(({ pid }) => pid !== process.pid);
  const isMarked = caller.marks.some(({ FIXPOINT_KEY: key }) => key !== undefined);
  if (isMarked || comesFrom(caller, workers)) {
    throw new InputError(`Cannot ${message} to \`${run}\` from a program that a run has started, expected a person`, {
      code: "own-gate",
      hint: "Send the message from a terminal of your own; an executor that needs a person replies BLOCKED: <question>",
    });
  }
  return { kind: caller.by.terminal === null ? "program" : "terminal", ...caller.by };
}

export async function questionsOf(database: Database, run: string): Promise<ShownRun["questions"]> {
  const { rows } = await database.query("select shown from fixpoint.runs where id = $1", [run]);
  return (rows[0]?.["shown"] as ShownRun | undefined)?.questions ?? [];
}

/**
 * Find the question that an event answers; null if the event answers no question. @param task The task of the question.
 */
function questionFor(
  run: string,
  event: PersonEvent,
  open: ShownRun["questions"],
  task: string | undefined,
): ShownQuestion | null {
  if (event.type !== "decision.made" && event.type !== "guidance.given") return null;
  const word = nameOfMessage(event);
  const meant = task === undefined ? open : open.filter((question) => question.task === task);
  const [question] = event.type === "guidance.given" ? meant.filter((each) => each.task !== null) : meant;
  if (question === undefined) {
    // Guidance needs no question; `stop` without an open question ends the run.
    if (task === undefined && (word === "guidance" || (word === "stop" && open.length === 0))) return null;
    throw nothingAsked(run, word, task, open);
  }
  if (question.task === null && !isOfRun(word)) throw unfitting(run, word, question.text);
  return question;
}

const isOfRun = (word: string): boolean => word === "retry" || word === "stop";

const unfitting = (run: string, word: string, question: string): InputError =>
  new InputError(`Cannot say \`${word}\` to \`${run}\`, expected retry or stop: ${question}`, {
    code: "nothing-to-decide",
    hint: "Put that right, then: fixpoint say <run> retry --queue …",
  });

const nameOfMessage = (event: PersonEvent): string => {
  if (event.type === "decision.made") return event.decision;
  return event.type === "guidance.given" ? "guidance" : event.type;
};

function nothingAsked(run: string, word: string, task: string | undefined, open: ShownRun["questions"]): InputError {
  const about = task === undefined ? "" : ` about task ${task}`;
  const others = open.flatMap((question) => question.task ?? []);
  const asks = others.length === 0 ? "" : `; the run asks about ${others.join(", ")}`;
  return new InputError(`Cannot say \`${word}\` to \`${run}\`, expected an open question${about}${asks}`, {
    code: "nothing-to-decide",
    hint: "List the open questions: fixpoint fleet --queue …",
  });
}

const personNeeded = (run: string, word: string, task: string): InputError =>
  new InputError(
    `Cannot say \`${word}\` to \`${run}\` without a terminal, expected a person to answer the question about task ${task}`,
    { code: "person-needed", hint: "Answer in a terminal, or on the page of the run: fixpoint watch --queue …" },
  );

export const unknownRun = (verb: string, run: string, expected: string): InputError =>
  new InputError(`Cannot ${verb} \`${run}\`, expected ${expected}`, {
    code: "run-unknown",
    hint: "List the runs: fixpoint fleet --queue …",
  });
