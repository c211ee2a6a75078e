import { type AnyActorRef, createActor, type Snapshot } from "xstate";
import { type EffectRef, ownBy } from "../../../machines/effect.ts";
import { createSpecMachine } from "../../../machines/spec.ts";
import { readPolicy } from "../../../src/model/policy.ts";
import { type Answered, beginsTurn, type RunRecord } from "../../../src/model/record.ts";
import { taskOf } from "../../../src/model/reply.ts";
import { apply } from "../../../src/run/apply.ts";
import { newRun } from "../../../src/run/new-run.ts";
import type { Requested } from "../../../src/run/requests.ts";
import { driveCharts, resumableRecords } from "../../../src/runtime/drive-charts.ts";
import { replayRun } from "../../../src/runtime/replay-run.ts";
import { stableJson } from "../../../src/runtime/stable-json.ts";
import type { Played } from "./play.ts";
import type { World } from "./world.ts";

const machine = createSpecMachine();

export function same(one: unknown, other: unknown, what: string): void {
  const [a, b] = [stableJson(one), stableJson(other)];
  if (a === b) return;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  throw new Error(
    `${what}:\n  ${a.slice(Math.max(0, at - 200), at + 200)}\n  ${b.slice(Math.max(0, at - 200), at + 200)}`,
  );
}

const isInner = ({ effect }: Answered): boolean => effect === "decide" || effect === "nextPart";

export function beforeLate({ happenings }: Pick<Played, "happenings">): readonly RunRecord[] {
  const records = happenings.flat();
  const cancelled = records.findIndex((record) => record.type === "said" && record.event.type === "cancel");
  return cancelled === -1 ? records : records.slice(0, cancelled + 1);
}

export function checkLaws(world: World, { happenings, state, begun }: Played): void {
  const records = happenings.flat();
  const answered = records.flatMap((record) => (record.type === "answered" && !isInner(record) ? [record.key] : []));
  const twice = answered.find((key, index) => answered.indexOf(key) !== index);
  if (twice !== undefined) throw new Error(`answered twice: ${twice}`);
  const recordedAt = new Map<string, number>();
  happenings.forEach((each, at) => {
    for (const record of each) if (record.type === "answered") recordedAt.set(record.key, at);
  });
  for (const { key, at } of begun) {
    if ((recordedAt.get(key) ?? at) < at) throw new Error(`performed again: ${key}`);
  }
  const again = newRun();
  let paused = false;
  let cancelled = false;
  for (const [at, each] of happenings.entries()) {
    for (const record of each) {
      if (cancelled && record.type === "answered" && record.effect === "decide")
        throw new Error("decided after a cancel");
      if (record.type === "said" && record.event.type === "pause") paused = true;
      if (record.type === "said" && record.event.type === "resume") paused = false;
      if (record.type === "said" && record.event.type === "cancel") cancelled = true;
      if (record.type === "delegated") paused = false;
      apply(again, record);
    }
    if (paused && begun.some((effect) => effect.at === at + 1 && /\/(delegate|review|askOperator)$/.test(effect.key))) {
      throw new Error("an effect began while the run was paused");
    }
  }
  same(again, state, "the state differs from that of the replayed records");
  const policy = readPolicy(world.policy);
  const { differences } = replayRun({ starts: [{ at: 0, policy, records: records as never }], open: null as never });
  same(differences, [], "decided differently in a replay");
}

export function checkPositions(records: readonly RunRecord[]): number {
  let native = begin();
  const led = driveCharts(machine);
  let restored = 0;
  records.forEach((record, index) => {
    if (beginsTurn(record)) {
      // A start may replay only the last turn, because the charts begin each turn in their initial position.
      if (led.requests()[0]?.name === "chooseTask")
        same(led.positions(), driveCharts(machine).positions(), "a turn begins elsewhere");
    }
    led.tell(record);
    native.tell(record);
    if (index % 5 === 0 && !led.isDone()) {
      native = begin(JSON.parse(JSON.stringify(native.actor.getPersistedSnapshot())) as Snapshot<unknown>);
      restored += 1;
    }
    same(native.asked(), requestsOf(led.requests()), "asked after a snapshot");
    same(native.actor.getSnapshot().value, led.positions()[0]?.state, "position after a snapshot");
    if (index % 7 === 0 && !led.isDone()) {
      const fresh = driveCharts(machine);
      for (const each of resumableRecords(records.slice(0, index + 1))) fresh.tell(each);
      same(fresh.positions(), led.positions(), "position from the last turn");
      same(requestsOf(fresh.requests()), requestsOf(led.requests()), "asked from the last turn");
    }
  });
  same(native.actor.getSnapshot().output ?? null, led.output() ?? null, "output");
  return restored;
}

const requestsOf = (requests: readonly Requested[]): string[] =>
  requests.map(({ name, current = "" }) => `${name} ${current}`).sort();

function begin(snapshot?: Snapshot<unknown>) {
  const actor = createActor(machine, { ...(snapshot !== undefined && { snapshot: snapshot as never }) });
  const open = new Map<EffectRef, Requested>();
  ownBy(actor as AnyActorRef, {
    ask: (request, ref) => void open.set(ref, request),
    leave: (ref) => void open.delete(ref),
  });
  actor.start();
  return {
    actor,
    asked: () => requestsOf([...open.values()]),
    tell: (record: RunRecord): void => {
      if (record.type === "said" && record.event.type === "cancel") actor.send({ type: "cancel" });
      if (record.type !== "answered") return;
      for (const [ref, { name, current }] of open) {
        if (name !== record.effect || (current !== undefined && current !== taskOf(record.key))) continue;
        open.delete(ref);
        ref.send({ type: "answer", answer: record.answer });
        return;
      }
    },
  };
}
