import { type AnyActorRef, createActor, type InspectionEvent, toPromise } from "xstate";
import { createSpecMachine } from "../../machines/spec.ts";
import type { Answer, EffectName } from "../../src/model/effect.ts";
import type { PersonEvent } from "../../src/model/person-event.ts";
import type { PolicyInput } from "../../src/model/policy.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { failedReply } from "../../src/testing/scripted-executor.ts";
import { type Life, worldOf } from "./native-lives.ts";
import { randomNumbers } from "./random-numbers.ts";

/** The run of a plan as a seed has it, with fixes, parts, batches, and a person. */
interface RandomLife extends Life {
  readonly input: { readonly policy: PolicyInput };
  /** What a person says, by the number of delegations that have begun. */
  readonly said: ReadonlyMap<number, readonly PersonEvent[]>;
}

const block = (id: string, mark: string): string =>
  `- [ ] ${id} ${mark}Task\n  - **Do**: Make it\n  - **Files**: src/${id}.ts\n  - **Done when**: It is there\n  - **Verify**: \`check\`\n`;

const ladders: readonly PolicyInput["recovery"][] = [
  ["fix"],
  ["retry", "fix"],
  ["repair"],
  ["fix", "repair"],
  ["retry", "repair", "pivot", "research", "checkpoint"],
];

export function randomLife(seed: number): RandomLife {
  const random = randomNumbers(seed);
  const pick = <Item>(...items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const tasks = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, at) =>
    block(`1.${at + 1}`, pick("", "[P] ", "[P] ")),
  );
  const answers = new Map<string, string | undefined>();
  const answerTo = (key: string): string | undefined => {
    const [task = ""] = key.split("#");
    if (key.endsWith("/review")) return pick("REVIEW_PASS", "CODE: it leaks\nREVIEW_FAIL");
    if (key.includes("/ask"))
      return pick("RETRY: mind it", "DECOMPOSE: one | two", "PRUNE: no use", "ESCALATE: me", "What?");
    return pick(undefined, undefined, failedReply(task, pick("boom", "other")), "It needs human eyes\nTASK_COMPLETE");
  };
  const advice: PersonEvent = { type: "guidance.given", text: "Look there" };
  return {
    ...{ name: `seed ${seed}`, machine: "spec", plan: `# Tasks\n\n## Phase 1: Work\n\n${tasks.join("\n")}` },
    input: { policy: { recovery: pick(...ladders) ?? [], maxTaskIterations: pick(1, 2), repairBudget: pick(1, 3) } },
    answers: new Proxy({} as Record<string, string>, {
      get: (_, key: string) => {
        if (!answers.has(key)) answers.set(key, answerTo(key));
        return answers.get(key);
      },
    }),
    person: pick<NonNullable<Life["person"]>>(
      {},
      { repair: { kind: "decided", decision: "skip" }, checkpoint: { kind: "decided", decision: "skip-task" } },
      { checkpoint: { kind: "decided", decision: "stop" } },
    ),
    said: new Map([
      [2, pick<PersonEvent[]>([], [advice], [{ type: "pause" }, { type: "resume" }])],
      [5, pick<PersonEvent[]>([], [], [{ type: "cancel" }], [{ type: "pause" }, advice, { type: "resume" }])],
    ]),
  };
}

/** A life as a native actor lives it: what an inspector is told, and the records of what was answered and said. */
export async function liveInspected(life: RandomLife, inspect: (event: InspectionEvent) => void) {
  const keys = new Map<string, { readonly key: string; readonly name: string }>();
  const records: RunRecord[] = [];
  let delegations = 0;
  const actor = createActor(createSpecMachine(worldOf(life).effects), {
    input: life.input,
    inspect: (inspection) => {
      inspect(inspection);
      if (inspection.type !== "@xstate.event") return;
      const { event, sourceRef, actorRef } = inspection as unknown as {
        readonly event: PersonEvent & { readonly input?: { readonly key?: string }; readonly output?: unknown };
        readonly sourceRef?: AnyActorRef;
        readonly actorRef: AnyActorRef;
      };
      if (event.input?.key !== undefined) {
        keys.set(actorRef.sessionId, { key: event.input.key, name: String(actorRef.src) });
        if (actorRef.src !== "delegate") return;
        const words = life.said.get(++delegations) ?? [];
        if (words.length > 0) queueMicrotask(() => words.forEach((word) => void say(word)));
      }
      const asked = sourceRef === undefined ? undefined : keys.get(sourceRef.sessionId);
      if (asked !== undefined && event.output !== undefined) {
        const { key, name } = asked;
        const answer = event.output as Answer<EffectName>;
        records.push({ type: "answered", effect: name, key, answer } as RunRecord);
      }
    },
  });
  const say = (event: PersonEvent): void => {
    if (actor.getSnapshot().status !== "active") return;
    records.push({ type: "said", event });
    actor.send(event);
  };
  await toPromise(actor.start());
  return records;
}
