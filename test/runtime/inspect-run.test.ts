import { isDeepStrictEqual } from "node:util";
import { createInspector } from "@statelyai/inspect";
import { describe, expect, it } from "vitest";
import type { AnyActorRef, InspectionEvent } from "xstate";
import { inspectRun } from "../../src/runtime/inspect-run.ts";
import { specMachine } from "../../src/runtime/spec-machine.ts";
import { statelyMessage } from "../../src/runtime/stately-message.ts";
import { start } from "../../src/runtime/step.ts";
import { liveInspected, randomLife } from "../support/inspected-life.ts";

type Message = Readonly<Record<string, unknown>>;

/** Messages with names in place of what differs by chance: the machine or effect that a session belongs to, and the time. */
function comparable(messages: readonly Message[]): Message[] {
  const names = new Map<unknown, string>();
  const nameOf = (session: unknown): string => {
    if (!names.has(session)) names.set(session, `actor ${names.size}`);
    return names.get(session) as string;
  };
  const machines = new Set(
    messages.flatMap((message) => (message["type"] === "@xstate.actor" ? [message["sessionId"]] : [])),
  );
  return messages.map(({ createdAt, sourceId, parentId, sessionId, rootId, snapshot, definition, ...rest }) => ({
    ...(JSON.parse(JSON.stringify(rest)) as Message),
    // The order of its keys means nothing.
    definition: definition === undefined ? "none" : (JSON.parse(String(definition)) as unknown),
    ...{ session: nameOf(sessionId), root: nameOf(rootId) },
    source: sourceId === undefined ? "nobody" : machines.has(sourceId) ? nameOf(sourceId) : "an effect",
    parent: parentId === undefined ? "none" : nameOf(parentId),
    // At the message of an actor, what it holds depends on when it is looked at.
    snapshot: rest["type"] === "@xstate.snapshot" ? (JSON.parse(JSON.stringify(snapshot)) as unknown) : "none",
  }));
}

const titleOf = ({ type, session, source, event }: Message): string =>
  `${String(type)} ${String(session)} from ${String(source)}: ${(event as { type?: string } | undefined)?.type}`;

async function nativeMessages(seed: number) {
  const sent: Message[] = [];
  const machines = new Set<string>();
  const inspector = createInspector(
    { send: (message) => void sent.push(message as unknown as Message) },
    { filter: ({ sessionId }) => machines.has(sessionId), serializationDepthLimit: 100 },
  );
  const records = await liveInspected(randomLife(seed), (inspection: InspectionEvent) => {
    const actor = inspection.actorRef as AnyActorRef & { readonly logic: { readonly config?: object } };
    if (actor.logic.config !== undefined && "id" in actor.logic.config) machines.add(actor.sessionId);
    inspector.inspect.next?.(inspection);
  });
  // The inspector sends later, one turn of the loop for each.
  await new Promise((resolve) => setTimeout(resolve, 0));
  return { records, native: comparable(sent) };
}

function derivedMessages(seed: number, records: Awaited<ReturnType<typeof nativeMessages>>["records"]): Message[] {
  const { input } = randomLife(seed);
  const sent: Message[] = [];
  const inspection = inspectRun(
    (event) => {
      const message = statelyMessage(event, 0);
      // As a socket carries it, which keeps what it held at that moment.
      if (message !== null) sent.push(JSON.parse(JSON.stringify(message)) as Message);
    },
    start(specMachine(), input).state,
    input,
  );
  inspection.follow(records);
  return comparable(sent);
}

/** More of them in the campaign `tests`. */
const seeds = Array.from({ length: Number(process.env["FC_RUNS"] ?? 30) }, (_, index) => index + 1);

describe("what an inspector of a run is told", () => {
  it.each(seeds)("equals what it is told of a native actor, message by message, seed %i", async (seed) => {
    const { records, native } = await nativeMessages(seed);
    const derived = derivedMessages(seed, records);
    expect(derived.map(titleOf)).toEqual(native.map(titleOf));
    const at = derived.findIndex((message, index) => !isDeepStrictEqual(message, native[index]));
    expect(derived[at], `message ${at}`).toEqual(native[at]);
  });

  it("is looked at with fixes, parts, batches and what a person says", async () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= 30; seed++) {
      for (const record of await liveInspected(randomLife(seed), () => {})) {
        if (record.type === "answered") seen.add(record.effect).add(record.answer.kind);
        else seen.add(record.type);
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining(["batch", "askOperator", "insertFix", "gatherParts", "said"]));
  });
});
