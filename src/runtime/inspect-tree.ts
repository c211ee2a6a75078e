import { type AnyMachineSnapshot, type AnyStateMachine, type InspectionEvent, toObserver } from "xstate";
import type { Inspect } from "./inspect.ts";
import { type InspectedRef, inspectedRef, machineFor, snapshotOf } from "./inspected-ref.ts";
import type { MachineMove } from "./step.ts";
import { childPath, type Invoked } from "./step-state.ts";

/** A machine that a move has invoked, with the move that has led to where it begins. */
interface Begun {
  readonly ref: InspectedRef;
  readonly move: MachineMove;
  readonly begun: readonly Begun[];
}

/** One step: its moves that are still to be told of. */
interface Turn {
  /** The next move of the machine at a path, without taking it. */
  readonly peek: (path: string) => MachineMove | undefined;
  readonly take: (path: string) => MachineMove | undefined;
  /** Paths of machines that are in the middle of a move. */
  readonly busy: Set<string>;
  /** Moves that wait until their machine is through with its last. */
  readonly waiting: MachineMove[];
}

/**
 * Actors for machines that are led by steps, and what an inspector hears of their moves: in the order in which native
 * actors are told of.
 *
 * @param from A move for each machine, which leads to where it is.
 */
export function inspectTree(inspect: Inspect, logic: AnyStateMachine, from: readonly MachineMove[]) {
  const observer = toObserver(inspect);
  const refs = new Map<string, InspectedRef>();
  const known = new WeakMap<Invoked, InspectedRef>();
  let sessions = 0;
  const makeRef = (made: Parameters<typeof inspectedRef>[1]): InspectedRef => inspectedRef(`x:${sessions++}`, made);
  const refAt = (path: string): InspectedRef => refs.get(path) as InspectedRef;

  const first = turnOf(from);
  const root = makeRef({ id: undefined, src: logic, logic, parent: undefined });
  begin(announce(root, first.take("") as MachineMove, first), undefined, first);
  return {
    /** @param moves Those of one step. */
    tell: (moves: readonly MachineMove[]): void => {
      const turn = turnOf(moves);
      const move = moves[0] && turn.take(moves[0].path);
      if (move === undefined) return;
      const { actorId } = move.event;
      hear(move, actorId === undefined ? undefined : childrenOf(refAt(move.path))[actorId]);
      go(move, turn);
    },
  };

  /** Tell of an actor, and of those that it has from the beginning. */
  function announce(ref: InspectedRef, move: MachineMove, turn: Turn): Begun {
    refs.set(move.path, ref);
    emit({ type: "@xstate.actor", actorRef: ref });
    return { ref, move, begun: show(ref, move, turn) };
  }

  /** Tell that an actor starts. One that is done at once is started behind the others. */
  function begin({ ref, move, begun }: Begun, parent: InspectedRef | undefined, turn: Turn): void {
    emit({ type: "@xstate.event", actorRef: ref, sourceRef: parent, event: move.event });
    turn.busy.add(move.path);
    const [over, others] = [true, false].map((isOver) => begun.filter((child) => child.move.isDone === isOver));
    for (const child of [...(others ?? []), ...(over ?? [])]) begin(child, ref, turn);
    end(ref, move, turn);
  }

  /** Tell of a move whose event was told of. */
  function go(move: MachineMove, turn: Turn): void {
    const ref = refAt(move.path);
    turn.busy.add(move.path);
    for (const id of Object.keys(childrenOf(ref))) {
      const path = childPath(move.path, id);
      if (turn.peek(path)?.event !== move.event) continue;
      const passed = turn.take(path) as MachineMove;
      // A native actor passes on only what the other one knows.
      if (refAt(path).logic?.events.includes(move.event.type) !== true) continue;
      hear(passed, undefined);
      go(passed, turn);
    }
    for (const child of show(ref, move, turn)) begin(child, ref, turn);
    end(ref, move, turn);
  }

  function end(ref: InspectedRef, move: MachineMove, turn: Turn): void {
    if (move.isDone && move.path !== "") tellParent(ref, move.path, turn);
    emit({ type: "@xstate.snapshot", actorRef: ref, event: move.event, snapshot: snapshotIn(ref) });
    turn.busy.delete(move.path);
    const at = turn.waiting.findIndex(({ path }) => path === move.path);
    const [next] = at === -1 ? [] : turn.waiting.splice(at, 1);
    if (next !== undefined) go(next, turn);
  }

  function tellParent(ref: InspectedRef, path: string, turn: Turn): void {
    const above = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
    const next = turn.take(above);
    if (next === undefined) return;
    hear(next, ref);
    if (turn.busy.has(above)) turn.waiting.push(next);
    else go(next, turn);
  }

  function hear({ path, event }: MachineMove, source: InspectedRef | undefined): void {
    emit({ type: "@xstate.event", actorRef: refAt(path), sourceRef: source, event });
  }

  /** Take up where a move has led to. Stops the machines that are waited for no more, and answers those begun. */
  function show(ref: InspectedRef, move: MachineMove, turn: Turn): Begun[] {
    const { path, node } = move;
    const own = ref.logic as AnyStateMachine;
    const before = childrenOf(ref);
    const fresh: string[] = [];
    const children: Record<string, InspectedRef> = {};
    // Spawned ones that are done stay among the children.
    for (const [id, child] of Object.entries(before)) if (isOver(child) && child.isSpawned) children[id] = child;
    for (const [id, invoked] of Object.entries(node.invoked)) {
      const isKnown = known.get(invoked);
      if (isKnown === undefined) fresh.push(id);
      const src = invoked.kind === "effect" ? invoked.effect.name : invoked.src;
      const isSpawned = invoked.kind === "machine" && invoked.spawned === true;
      const child = isKnown ?? makeRef({ id, src, logic: machineFor(own, src), parent: ref, isSpawned });
      known.set(invoked, child);
      children[id] = child;
    }
    for (const [id, child] of Object.entries(before)) if (children[id] !== child) stop(child);
    ref.show(snapshotOf(own, move, children));
    return fresh.flatMap((id) => {
      const child = children[id] as InspectedRef;
      const initial = child.logic === undefined ? undefined : turn.take(childPath(path, id));
      return initial === undefined ? [] : [announce(child, initial, turn)];
    });
  }

  /** A machine is stopped with those in it, innermost first. */
  function stop(ref: InspectedRef): void {
    if (ref.logic === undefined || isOver(ref)) return;
    for (const child of Object.values(childrenOf(ref))) stop(child);
    ref.show({ ...snapshotIn(ref), status: "stopped", children: {} });
    emit({ type: "@xstate.snapshot", actorRef: ref, event: { type: "xstate.stop" }, snapshot: snapshotIn(ref) });
  }

  function emit(event: object): void {
    try {
      observer.next?.({ rootId: root.sessionId, ...event } as unknown as InspectionEvent);
    } catch (error) {
      // An inspector's error is not the run's. It is thrown where nobody catches it.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

const snapshotIn = (ref: InspectedRef): AnyMachineSnapshot => ref.getSnapshot() as AnyMachineSnapshot;
const isOver = (ref: InspectedRef): boolean => snapshotIn(ref).status !== "active";
const childrenOf = (ref: InspectedRef): Readonly<Record<string, InspectedRef>> =>
  (snapshotIn(ref).children ?? {}) as unknown as Record<string, InspectedRef>;

function turnOf(moves: readonly MachineMove[]): Turn {
  const left = new Map<string, MachineMove[]>();
  for (const move of moves) left.set(move.path, [...(left.get(move.path) ?? []), move]);
  return {
    peek: (path) => left.get(path)?.[0],
    take: (path) => left.get(path)?.shift(),
    busy: new Set(),
    waiting: [],
  };
}
