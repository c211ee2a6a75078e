import type { AnyStateMachine } from "xstate";

interface LeanEdge {
  readonly from: string;
  readonly to: string;
  /** Guards and events that cause the transitions, one label for each; empty if `from` has no other transition. */
  readonly labels: readonly string[];
}

/** One transition. */
interface Way extends LeanEdge {
  /** Whether an outside event causes the transition. Otherwise, the result that the state waits for causes it. */
  readonly isTold: boolean;
}

export interface LeanChart {
  readonly initial: string;
  readonly states: readonly {
    readonly name: string;
    readonly isFinal: boolean;
    /** Whether a machine never stays in the state, since a guard leaves it at once. */
    readonly isPassed: boolean;
    /** Final states that are reachable from this state and are not drawn. */
    readonly stops: readonly string[];
  }[];
  readonly edges: readonly LeanEdge[];
  /** Targets of events that are accepted in every state. */
  readonly everywhere: readonly Pick<LeanEdge, "to" | "labels">[];
  /**
   * Events that every state accepts without a drawn edge: the state stays, or a final state follows that is not drawn.
   */
  readonly heard: readonly Pick<LeanEdge, "to" | "labels">[];
}

type StateNode = AnyStateMachine["root"];

/** Final states whose edges would cross the whole chart: a stop of the run, or an end that another machine handles. */
const stopNames = ["exhausted", "gated", "cancelled", "checkpoint", "replanned"];

/**
 * Simplify a machine's chart: omit final states, events accepted everywhere, parallel edges, and outside events
 * that lead to the same state as an answer.
 *
 * @param drawsStops Whether to draw final states like others (false by default).
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
    // A transition without a target stays in its state.
    (target ?? [state]).map(({ key, invoke }) => {
      const isTold = eventType !== "" && !eventType.startsWith(done);
      const cause = isTold ? [eventType] : eventType === `${done}*` ? ["one done"] : [];
      const name = guard === undefined ? null : nameOfGuard(guard);
      const isNamed = name !== null && invoke.some(({ src }) => src === name);
      const labels = name === null ? cause : isNamed ? [] : [`[${name}]`];
      const isOnly = labels.length > 0 || isNamed || definitions.length === 1;
      return { from: state.key, to: key, labels: isOnly ? labels : ["otherwise"], isTold };
    }),
  );
}

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

/**
 * Prefix of the events that carry a result. These events need no label: the state names the effect that it waits for.
 */
const done = "xstate.done.actor.";

/** Label of a guard: the kinds of an answer, or the name of the guard. */
export function nameOfGuard(guard: unknown): string {
  if (typeof guard === "string") return guard;
  const { type, params } = guard as { readonly type: string; readonly params?: { readonly kinds?: readonly string[] } };
  return params?.kinds?.join(" or ") ?? type;
}
