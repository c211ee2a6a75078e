import type { AnyStateMachine, InspectionEvent } from "xstate";

const version = "0.7.2";

export type StatelyMessage = Readonly<Record<string, unknown>> & {
  readonly type: "@xstate.actor" | "@xstate.event" | "@xstate.snapshot";
};

/**
 * Convert an inspection event to a message for Stately; null if the event needs no message. Effects are omitted: they
 * are many, and their answers appear in the machines' events.
 *
 * @param now Milliseconds since 1970.
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
  /** A machine has a `config`, an effect has none. */
  readonly logic?: AnyStateMachine;
  readonly _parent?: Actor;
}

const known = new WeakMap<AnyStateMachine, string>();

/** Like `statelyDefinition`, but on one line. Cached for each machine, since a run has many actors of few machines. */
function keptDefinition(machine: AnyStateMachine): string {
  const definition = known.get(machine) ?? statelyDefinition(machine);
  known.set(machine, definition);
  return definition;
}

/**
 * The definition of a machine for Stately: its configuration as JSON, with the names of functions in place of the
 * functions.
 */
export const statelyDefinition = ({ config }: AnyStateMachine, space?: number): string =>
  JSON.stringify(config, byName, space);

const byName = (_key: string, value: unknown): unknown => (typeof value === "function" ? { type: value.name } : value);
