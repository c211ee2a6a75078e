import type { AnyStateMachine } from "xstate";

/** All ways from one state to another. */
interface LeanEdge {
  readonly from: string;
  readonly to: string;
  /** What lets them be taken, guards and events, one of which is enough; empty where it is the only way on. */
  readonly labels: readonly string[];
}

/** One way on from a state. */
interface Way extends LeanEdge {
  /** Whether somebody outside leads to it, not what the state waits for. */
  readonly isTold: boolean;
}

/** What a drawing of a machine shows when it is to be taken in at a glance. */
export interface LeanChart {
  readonly initial: string;
  readonly states: readonly {
    readonly name: string;
    readonly isFinal: boolean;
    /** Whether a machine never stays there, since a guard leads on at once. */
    readonly isPassed: boolean;
    /** Ends that it can come to and that are not drawn. */
    readonly stops: readonly string[];
  }[];
  readonly edges: readonly LeanEdge[];
  /** Where events lead that are heard in every state. */
  readonly everywhere: readonly Pick<LeanEdge, "to" | "labels">[];
  /** Those that leave the state as it is, or come to a stop. */
  readonly heard: readonly Pick<LeanEdge, "to" | "labels">[];
}

type StateNode = AnyStateMachine["root"];

/** Ends that a run stops at, or that are another machine's to deal with: their edges would cross the whole chart. */
const stopNames = ["exhausted", "gated", "cancelled", "checkpoint", "replanned"];

/**
 * The chart of a machine without what crosses it: stops, what is heard everywhere, edges that run side by side, and what
 * somebody says where an answer leads to the same.
 *
 * @param drawsStops Whether stops are states as the others are (false by default).
 */
export function leanChart(
  { root }: AnyStateMachine,
  { drawsStops = false }: { readonly drawsStops?: boolean } = {},
): LeanChart {
  const states = Object.values(root.states);
  const isStop = ({ key, type }: StateNode): boolean => !drawsStops && type === "final" && stopNames.includes(key);
  const stops = new Set(states.filter(isStop).map(({ key }) => key));
  const edges = merge(states.flatMap(waysOf));
  const above = merge(waysOf(root));
  return {
    initial: root.initial.target[0]?.key ?? "",
    states: states
      .filter(({ key }) => !stops.has(key))
      .map(({ key, type, always = [], invoke }) => ({
        name: key,
        isFinal: type === "final",
        isPassed: always.length > 0 && invoke.length === 0,
        stops: edges.flatMap(({ from, to }) => (from === key && stops.has(to) ? [to] : [])),
      })),
    edges: edges.filter(({ to }) => !stops.has(to)),
    everywhere: above.filter(({ to }) => to !== root.key && !stops.has(to)).map(({ to, labels }) => ({ to, labels })),
    heard: above.filter(({ to }) => to === root.key || stops.has(to)).map(({ to, labels }) => ({ to, labels })),
  };
}

function waysOf(state: StateNode): Way[] {
  const definitions = [...[...state.transitions.values()].flat(), ...(state.always ?? [])];
  return definitions.flatMap(({ target, guard, eventType }) =>
    // One without a target stays where it is.
    (target ?? [state]).map(({ key, invoke }) => {
      const isTold = eventType !== "" && !eventType.startsWith(done);
      const cause = isTold ? [eventType] : eventType === `${done}*` ? ["one done"] : [];
      const name = guard === undefined ? null : nameOfGuard(guard);
      // A kind that names what the next state asks for says nothing new.
      const isNamed = name !== null && invoke.some(({ src }) => src === name);
      const labels = name === null ? cause : isNamed ? [] : [`[${name}]`];
      const isOnly = labels.length > 0 || isNamed || definitions.length === 1;
      return { from: state.key, to: key, labels: isOnly ? labels : ["otherwise"], isTold };
    }),
  );
}

/** Ways between the same states are one edge. */
function merge(ways: readonly Way[]): LeanEdge[] {
  const between = new Map<string, Way[]>();
  for (const way of ways) {
    const key = `${way.from} ${way.to}`;
    between.set(key, [...(between.get(key) ?? []), way]);
  }
  return [...between.values()].map((side) => {
    const answered = side.filter(({ isTold }) => !isTold);
    const shown = answered.length > 0 ? answered : side;
    const [{ from, to }] = side as [Way];
    return { from, to, labels: [...new Set(shown.flatMap(({ labels }) => labels))] };
  });
}

/** What a state waits for need not be said in words: it is the effect or the machine of that state. */
const done = "xstate.done.actor.";

/** A guard as it is drawn: the kinds of an answer, or what it is called. */
export function nameOfGuard(guard: unknown): string {
  if (typeof guard === "string") return guard;
  const { type, params } = guard as { readonly type: string; readonly params?: { readonly kinds?: readonly string[] } };
  return params?.kinds?.join(" or ") ?? type;
}
