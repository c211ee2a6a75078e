import type { AnyActorRef, AnyMachineSnapshot, EventObject } from "xstate";

/**
 * Tell the machines at work in this one what it was told. The step function does so by itself: an event that is sent
 * to a machine reaches those in it.
 */
export const forward = ({ self, event }: { readonly self: AnyActorRef; readonly event: EventObject }): void => {
  const { children } = self.getSnapshot() as AnyMachineSnapshot;
  for (const child of Object.values(children) as AnyActorRef[]) {
    // Spawned ones that are done stay among the children.
    if ((child.getSnapshot() as { status: string }).status === "active") child.send(event);
  }
};
