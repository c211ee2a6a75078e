import { createRunMemory, type RunMemory } from "../../effects/run-memory.ts";
import { readVerify } from "../../markdown/tasks/read-verify.ts";
import { addressOf } from "../../model/command-line.ts";
import { EnvironmentError, InputError } from "../../model/errors.ts";
import type { RunEnded, RunEvent } from "../../model/event.ts";
import { hashText } from "../../model/hash-text.ts";
import { planWithout } from "../../model/left-out.ts";
import { nextTask, type Plan } from "../../model/plan.ts";
import type { RunRecord } from "../../model/record.ts";
import { noMending } from "../../runtime/find-mended.ts";
import { personPort } from "../../runtime/person-port.ts";
import { run } from "../../runtime/run.ts";
import { createRunControl } from "../../runtime/run-control.ts";
import { settlePlan } from "../../runtime/settle-plan.ts";
import type { OwnerAnswer, OwnerQuestion, Start, StartOptions } from "../../runtime/start.ts";
import { originOf, stillLimited } from "../../start/origin.ts";
import { wordsNow } from "../../start/words.ts";
import { createLife, type Life } from "./life.ts";
import { saysSomething } from "./say-something.ts";
import type { Scenery } from "./scenery.ts";
import { simulatedDocuments } from "./simulated-documents.ts";
import { simulatedExecutors } from "./simulated-executors.ts";
import { simulatedPerson } from "./simulated-person.ts";
import { simulatedShell } from "./simulated-shell.ts";
import { watchEnd } from "./watch-end.ts";

/** What a person tells a start. */
export type Words = Pick<StartOptions, "guidance" | "decision" | "resume"> & { readonly yes?: boolean };

/** How a start came to its end. */
export type StartEnd =
  | { readonly kind: "ended"; readonly ended: RunEnded }
  | { readonly kind: "killed" }
  /** It was not begun, or not gone on with: a person has to do something. */
  | { readonly kind: "refused"; readonly error: InputError | EnvironmentError }
  /** The product is broken. */
  | { readonly kind: "broken"; readonly error: unknown };

/** The coordinator from one start to its end, as `runSpec` does it over files. */
export async function startOnce(scenery: Scenery, words: Words): Promise<StartEnd> {
  const { world } = scenery;
  const life = createLife(world);
  const coordinating = coordinate(scenery, life, words).then((ended): StartEnd => ({ kind: "ended", ended }));
  try {
    return await world.clock.drive(Promise.race([coordinating, life.died]));
  } catch (error) {
    if (life.isDead()) return { kind: "killed" };
    const isRefused = error instanceof InputError || error instanceof EnvironmentError;
    return isRefused ? { kind: "refused", error } : { kind: "broken", error };
  }
}

async function coordinate(scenery: Scenery, life: Life, words: Words): Promise<RunEnded> {
  const { world, journal, processes, records, states, passes, waits, checks, kept, events } = scenery;
  const { clock, policy } = world;
  const heard = createRunControl();
  const emit = (event: RunEvent): void => {
    if (life.isDead()) return;
    events.push(event);
    world.tell(JSON.stringify(event).slice(0, mostTold));
    if (event.type === "task.delegated") saysSomething(world, life, heard);
  };
  const documents = simulatedDocuments(world, life);
  const reading = journal.reading();
  const opened = await documents.read();
  check(opened.plan);
  const given = reading.segments.length === 0 ? { policy } : {};
  const origin = originOf(reading, given, opened.plan);
  const announce = (plan: Plan): void => {
    const completed = plan.tasks.filter(({ done }) => done).length;
    const next = nextTask(planWithout(plan, []))?.current ?? null;
    emit({
      type: "run.started",
      ...{ spec: "sample", total: plan.tasks.length, completed, next, policy },
      resumed: !origin.fresh,
    });
  };
  if (stillLimited(origin, hashText(opened.text)) && origin.ended !== null) return origin.ended.ending;
  agree(scenery, opened.plan, words);
  journal.open(origin);
  states.begin(origin.open, origin.seed);
  const startedAt = clock.elapsedMs();
  const write = (record: RunRecord & { readonly at?: number }): void => {
    const made = journal.append(life, record);
    states.see(made, memory);
    records.see(made, memory);
    passes.see(made);
  };
  const memory: RunMemory = createRunMemory({
    open: origin.open,
    seed: origin.seed,
    elapsedMs: () => (origin.state?.elapsedMs ?? 0) + clock.elapsedMs() - startedAt,
    store: {
      append: (record) => {
        const said = clock.now();
        try {
          write(record);
        } finally {
          // Also one that it was killed at: what was heard is heard again.
          waits.see(record, said);
        }
      },
      writeOutput: (key, text) => journal.outputs.set(key, text),
      readOutput: async (key) => journal.outputs.get(key) ?? "",
    },
    onAdmit: ({ task, title, role, attempt, key }, iteration) =>
      emit({ type: "task.delegated", task, title, role, attempt, key, iteration }),
  });
  if (origin.state !== null) memory.take(origin.state);
  states.compare(memory);
  const last = origin.ended?.ending.outcome;
  if (!origin.fresh && (last === undefined || last === "environment")) processes.endAll();
  const options = { ...words, decide: simulatedPerson(world, life) };
  const address = addressOf("sample");
  const start: Start = { options, address, documents, reading, origin, limited: false, emit, announce };
  const desk = {
    journal: { append: write },
    bases: journal.bases,
    hashOf: hashText,
    // Nobody mends anything there.
    look: async () => noMending,
    check: async (plan: Plan) => check(plan),
    askOwner,
  };
  const { plan, found, midTurn, records: standing } = await settlePlan(start, desk, memory);
  announce(found);
  for (const event of wordsNow(words, origin)) heard.send(event);
  const { ended, denial, settled } = await run({
    ports: {
      executors: simulatedExecutors(world, life, processes),
      documents,
      plan,
      attempts: memory,
      shell: simulatedShell(world, life, checks, kept),
      consent: ({ commands }) =>
        life.through("the question of consent", async () =>
          consent(scenery, commands) ? { given: true } : { given: false, hint: "" },
        ),
      person: personPort(start, midTurn),
      fileState: () => life.through("a look at the files", async () => hashText(world.truths.state())),
      clock: waits.clock,
      ...place,
    },
    memory,
    policy: origin.policy,
    records: standing,
    midTurn,
    onEvent: emit,
    refreshViews: async () => life.step("the view"),
    heard,
    signal: life.signal,
  });
  const left = await plan.known();
  const planHash = hashText((await documents.read().catch(() => left)).text);
  states.compare(memory);
  if (settled) write({ type: "ended", ending: ended, planHash, denial });
  if (settled) passes.end(ended.outcome);
  watchEnd(world, processes, ended);
  emit(ended);
  return ended;
}

const mostTold = 300;
const place = { workspace: "/work", spec: "/work/specs/sample" } as const;

/** An owner who takes the plan as it stands, and no tick that nobody has accepted. */
const askOwner = async ({ facts }: OwnerQuestion): Promise<OwnerAnswer> =>
  facts[0] === "plan" ? { accepted: true } : { accepted: false, hash: "", isAsked: true };

/** Refuse a plan that a run cannot follow. */
function check({ problems }: Plan): void {
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  throw new InputError(`Cannot run the plan: ${errors.map(({ message }) => message).join("; ")}`, {
    code: "plan-refused",
  });
}

/** Make sure that the owner has agreed to the commands of the plan. */
function agree({ world }: Scenery, { tasks }: Plan, { yes }: Words): void {
  const commands = tasks.flatMap(({ fields }) => {
    const verify = readVerify(fields.verify);
    return verify.kind === "command" ? [verify.command] : [];
  });
  if (world.policy.finalVerify !== null) commands.push(world.policy.finalVerify);
  if (yes !== true && commands.some((command) => !world.agreed.has(command))) {
    throw new InputError("Cannot run the plan's Verify commands without consent", { code: "consent-missing" });
  }
  for (const command of commands) world.agreed.add(command);
}

/** Whether the owner agrees to commands that come up; mostly so. */
function consent({ world }: Scenery, commands: readonly string[]): boolean {
  const isGiven =
    commands.every((command) => world.agreed.has(command)) ||
    world.options.compare === true ||
    world.chanceOf("consent").chance(0.9);
  if (isGiven) for (const command of commands) world.agreed.add(command);
  return isGiven;
}
