import type { RunMemory } from "../../src/effects/run-memory.ts";
import { readVerify } from "../../src/markdown/tasks/read-verify.ts";
import { addressOf } from "../../src/model/command-line.ts";
import { EnvironmentError, InputError } from "../../src/model/errors.ts";
import type { RunEnded, RunEvent } from "../../src/model/event.ts";
import { nextTask, type Plan } from "../../src/model/plan.ts";
import { planWithout } from "../../src/model/plan-parts.ts";
import { hashText } from "../../src/model/text.ts";
import type { Journal } from "../../src/ports/journal.ts";
import { resolveStart, type StartPoint, stillLimited } from "../../src/run/resolve-start.ts";
import { continueRun, type RunNow, type Work } from "../../src/runtime/continue-run.ts";
import { mayBeFixedManually } from "../../src/runtime/find-manual-fixes.ts";
import { createRunControl } from "../../src/runtime/run-control.ts";
import type { OwnerAnswer, OwnerQuestion, StartOptions } from "../../src/runtime/start.ts";
import { createLife, type Life } from "./life.ts";
import { saysSomething } from "./say-something.ts";
import type { Scenery } from "./scenery.ts";
import { simulatedDocuments } from "./simulated-documents.ts";
import { simulatedExecutors } from "./simulated-executors.ts";
import { simulatedPerson } from "./simulated-person.ts";
import { simulatedShell } from "./simulated-shell.ts";
import { watchEnd } from "./watch-end.ts";

export type Words = Pick<StartOptions, "guidance" | "decision" | "resume"> & { readonly yes?: boolean };

export type StartEnd =
  | { readonly kind: "ended"; readonly ended: RunEnded }
  | { readonly kind: "killed" }
  | { readonly kind: "refused"; readonly error: InputError | EnvironmentError }
  | { readonly kind: "broken"; readonly error: unknown };

export async function startOnce(scenery: Scenery, words: Words): Promise<StartEnd> {
  const { world } = scenery;
  const life = createLife(world);
  const coordinating = coordinate(scenery, life, words).then((ended): StartEnd => ({ kind: "ended", ended }));
  try {
    return await world.clock.drive(Promise.race([coordinating, life.died]));
  } catch (error) {
    // An interrupt before any work writes no event, like a kill.
    if (life.isDead() || error === life.signal.reason) return { kind: "killed" };
    const isRefused = error instanceof InputError || error instanceof EnvironmentError;
    return isRefused ? { kind: "refused", error } : { kind: "broken", error };
  }
}

async function coordinate(scenery: Scenery, life: Life, words: Words): Promise<RunEnded> {
  const { world, journal, processes, events } = scenery;
  const { policy } = world;
  const control = createRunControl();
  const emit = (event: RunEvent): void => {
    if (life.isDead()) return;
    events.push(event);
    world.tell(JSON.stringify(event).slice(0, mostTold));
    if (event.type === "task.delegated") saysSomething(world, life, control);
  };
  const documents = simulatedDocuments(world, life);
  const reading = journal.reading();
  const opened = await documents.read();
  check(opened.plan);
  const given = reading.segments.length === 0 ? { policy } : {};
  const origin = resolveStart(reading, given, opened.plan);
  const options = { ...words, control, decide: simulatedPerson(world, life) };
  const limited = stillLimited(origin, hashText(opened.text));
  if (limited && origin.ended !== null && !mayBeFixedManually({ options, origin }, opened.plan))
    return origin.ended.ending;
  agree(scenery, opened.plan, words);
  const announce = (plan: Plan): void => {
    const completed = plan.tasks.filter(({ done }) => done).length;
    const next = nextTask(planWithout(plan, []))?.current ?? null;
    emit({
      type: "run.started",
      ...{ spec: "sample", total: plan.tasks.length, completed, next, policy },
      resumed: !origin.fresh,
    });
  };
  const start = { options, address: addressOf("sample"), documents, reading, origin, limited, emit, announce };
  const held = hold(scenery, life, origin);
  let settled = false;
  const work = { ...workOf(scenery, life, emit), ask: options };
  const leave: Work["leave"] = async (reached) => {
    ({ settled } = reached);
    scenery.states.compare(held.memory());
    return { ...reached, facts: {} };
  };
  try {
    const ended = await continueRun(start, {
      ...{ journal: held.journal, hashOf: hashText, askOwner, workspace: place.workspace, signal: life.signal },
      elapsedMs: world.clock.elapsedMs,
      check: async (plan) => check(plan),
      shell: () => simulatedShell(world, life, scenery.checks, scenery.kept),
      endLeftovers: async (calls) => processes.end(calls),
      announceDelegation: async ({ task, title, role, attempt, key }, iteration) =>
        emit({ type: "task.delegated", task, title, role, attempt, key, iteration }),
      begin: async ({ memory }) => {
        scenery.states.compare(memory);
        return { ...work, leave };
      },
    });
    if (settled) scenery.passes.end(ended.outcome);
    watchEnd(world, processes, ended);
    return ended;
  } finally {
    if (!life.isDead()) held.close();
  }
}

function hold({ world, journal, states, records, passes, waits }: Scenery, life: Life, origin: StartPoint) {
  const { open, seed } = origin;
  let now: RunNow | null = null;
  const memory = (): RunMemory => (now as RunNow).memory;
  const held = journal.begin({ policy: origin.policy, open, seed }, life, (made) => {
    states.see(made, memory());
    for (const record of made) {
      records.see(record, memory());
      passes.see(record);
    }
  });
  states.begin(open, seed);
  const append: Journal["append"] = (made, options) => {
    const said = world.clock.now();
    try {
      held.append(made, options);
    } finally {
      // Includes records that never reached the journal, because the next start observes the same facts.
      for (const record of made) waits.see(record, said);
    }
  };
  const opened = (run: RunNow): Journal => {
    now = run;
    return { ...held, append };
  };
  return { memory, journal: opened, close: held.close };
}

function workOf(scenery: Scenery, life: Life, emit: (event: RunEvent) => void): Omit<Work, "leave" | "ask"> {
  const { world, processes, waits } = scenery;
  return {
    ports: {
      executors: simulatedExecutors(world, life, processes),
      consent: ({ commands }) =>
        life.through("the question of consent", async () =>
          consent(scenery, commands) ? { given: true } : { given: false, hint: "" },
        ),
      fileState: () => life.through("a look at the files", async () => hashText(world.truths.state())),
      clock: waits.clock,
      spec: place.spec,
    },
    onEvent: emit,
    show: () => life.step("the view"),
    listen: () => () => {},
    abandon: async () => {},
    signal: life.signal,
  };
}

const mostTold = 300;
const place = { workspace: "/work", spec: "/work/specs/sample" } as const;

const askOwner = async ({ facts }: OwnerQuestion): Promise<OwnerAnswer> =>
  facts[0] === "plan" ? { accepted: true } : { accepted: false, hash: "", isAsked: true };

function check({ problems }: Plan): void {
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  throw new InputError(`Cannot run the plan: ${errors.map(({ message }) => message).join("; ")}`, {
    code: "plan-refused",
  });
}

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

function consent({ world }: Scenery, commands: readonly string[]): boolean {
  const isGiven =
    commands.every((command) => world.agreed.has(command)) ||
    world.options.compare === true ||
    world.chanceOf("consent").chance(0.9);
  if (isGiven) for (const command of commands) world.agreed.add(command);
  return isGiven;
}
