import type { AnyStateMachine, InspectionEvent } from "xstate";
import { keptDefinition } from "./stately-definition.ts";

/** The form of the messages of `@statelyai/inspect`. */
const version = "0.7.2";

/** A message that an inspector of Stately takes, as JSON. */
export type StatelyMessage = Readonly<Record<string, unknown>> & {
  readonly type: "@xstate.actor" | "@xstate.event" | "@xstate.snapshot";
};

/**
 * What an inspector of Stately is sent of an inspection event; null for what it does not show. Effects are left out: they
 * are many, and what they answer is in the events of the machines.
 *
 * @param now In milliseconds since 1970.
 */
export function statelyMessage(inspection: InspectionEvent, now: number): StatelyMessage | null {
  const { actorRef, rootId } = inspection as unknown as { readonly actorRef: Actor; readonly rootId: string };
  if (actorRef.logic?.config === undefined) return null;
  const { sessionId } = actorRef;
  const common = { _version: version, createdAt: String(now), id: null, rootId, sessionId };
  if (inspection.type === "@xstate.actor") {
    const name = actorRef.id === sessionId ? actorRef.logic.id : actorRef.id;
    const definition = keptDefinition(actorRef.logic);
    const parentId = actorRef._parent?.sessionId;
    return { ...common, type: inspection.type, name, definition, parentId, snapshot: { status: "active" } };
  }
  if (inspection.type === "@xstate.event") {
    const sourceId = inspection.sourceRef?.sessionId;
    return { ...common, type: inspection.type, sourceId, event: inspection.event };
  }
  if (inspection.type !== "@xstate.snapshot") return null;
  return { ...common, type: inspection.type, event: inspection.event, snapshot: inspection.snapshot };
}

interface Actor {
  readonly id: string;
  readonly sessionId: string;
  /** A machine has a `config`, an effect none. */
  readonly logic?: AnyStateMachine;
  readonly _parent?: Actor;
}
