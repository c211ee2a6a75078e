import type { AnyStateMachine } from "xstate";
import { forward } from "../../machines/forward.ts";
import { InvariantError } from "../model/errors.ts";
import type { RunEvent } from "../model/event.ts";

/** What a machine waits for while it is in a state, as its chart says it. */
export interface Invocation {
  readonly id: string;
  readonly src: string;
}

/** What a transition asks for, as data. */
export type Request =
  | { readonly kind: "emit"; readonly event: RunEvent }
  /** A spawned one belongs to no state. */
  | ({ readonly kind: "invoke" | "spawn"; readonly input: unknown } & Invocation);

/** An event as XState has it; the first one carries the input, that of an actor that is done its output. */
export interface ChartEvent {
  readonly type: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly actorId?: string;
}

/** A transition under way. */
export interface Turn {
  context: unknown;
  readonly event: ChartEvent;
  readonly requests: Request[];
}

type Action = (turn: Turn) => void;

/** A way on from a state, open where its guard says so. */
export interface Way {
  readonly guard: (turn: Turn) => boolean;
  readonly actions: readonly Action[];
  /** Null where the machine stays in its state and does not enter it again. */
  readonly target: Row | null;
}

/** A state of a chart. */
export interface Row {
  readonly name: string;
  /** Its name with that of the machine. */
  readonly id: string;
  readonly invokes: readonly (Invocation & { readonly input?: unknown })[];
  readonly isFinal: boolean;
  readonly output: unknown;
  entry: readonly Action[];
  always: readonly Way[];
  /** Ways on by an event, in the order in which they are tried. */
  on: (type: string) => readonly Way[];
}

export interface Chart {
  readonly rows: ReadonlyMap<unknown, Row>;
  readonly initial: Row;
  readonly context: unknown;
  readonly output: unknown;
}

/** Something that a chart gives, or a function that makes it. */
export const resolve = (given: unknown, of: object): unknown => (typeof given === "function" ? given(of) : given);

type Node = AnyStateMachine["root"];
type Definition = Node["always"] extends (infer One)[] | undefined ? One : never;

/**
 * Make the table of a chart of plain states. What XState can do beyond them is refused, not skipped.
 *
 * @throws {InvariantError} `chart-unsupported`, `transition-unsupported`, `guard-unsupported`, `action-unsupported`
 */
export function compileChart(machine: AnyStateMachine): Chart {
  const { root } = machine;
  if (root.type !== "compound" || !isPlain(root) || !isBare(root)) throw unsupported("chart-unsupported", root.id);
  const rows = new Map<unknown, Row>();
  for (const node of Object.values(root.states)) {
    const { key, id, output } = node;
    const invokes = node.invoke as Row["invokes"];
    const isFinal = node.type === "final";
    const isKnown = invokes.every(({ src }) => src in machine.implementations.actors);
    // What is left at once would be left with what it has just invoked; and a final state is not left at all.
    const isStable = node.always === undefined || (!isFinal && invokes.length === 0);
    if ((node.type !== "atomic" && !isFinal) || !isPlain(node) || !isKnown || !isStable) {
      throw unsupported("chart-unsupported", id);
    }
    rows.set(key, { name: key, id, invokes, isFinal, output, entry: [], always: [], on: () => [] });
  }
  for (const node of Object.values(root.states)) {
    const row = rows.get(node.key) as Row;
    const wayOf = (definition: Definition): Way => compileWay(machine, rows, definition);
    row.entry = node.entry.map((action) => compileAction(machine, action));
    row.always = (node.always ?? []).map(wayOf);
    // It would be open for ever.
    if (row.always.some(({ target }) => target === null || target === row)) {
      throw unsupported("transition-unsupported", node.id);
    }
    row.on = byEvent([node, root], wayOf);
  }
  const initial = rows.get(root.initial.target?.[0]?.key) as Row;
  return { rows, initial, context: machine.config.context ?? {}, output: root.output };
}

/** Whether a state leaves out what no row has: actions on leaving, and delays. */
const isPlain = ({ exit, after }: Node): boolean => exit.length + after.length === 0;

/** Whether a root does nothing on being entered. */
const isBare = ({ entry, invoke, always = [], initial }: Node): boolean =>
  [entry, invoke, always, initial.actions].every(({ length }) => length === 0);

/** Ways on by an event: those of the state, then those of the root; in each, a named event before `a.*` and `*`. */
function byEvent(nodes: readonly Node[], wayOf: (definition: Definition) => Way): Row["on"] {
  const compiled = nodes.map(({ transitions }) =>
    [...transitions].map(([pattern, definitions]) => ({ pattern, ways: definitions.map(wayOf) })),
  );
  const find = (type: string): Way[] =>
    compiled.flatMap((own) =>
      own
        .filter(({ pattern }) => matches(pattern, type))
        .sort(
          ({ pattern: one }, { pattern: other }) =>
            Number(other === type) - Number(one === type) || other.length - one.length,
        )
        .flatMap(({ ways }) => ways),
    );
  const known = new Map(nodes.flatMap(({ transitions }) => [...transitions.keys()].map((type) => [type, find(type)])));
  return (type) => known.get(type) ?? find(type);
}

const matches = (pattern: string, type: string): boolean =>
  [type, "*"].includes(pattern) || (pattern.endsWith(".*") && `${type}.`.startsWith(pattern.slice(0, -1)));

function compileWay(
  machine: AnyStateMachine,
  rows: ReadonlyMap<unknown, Row>,
  { target, source, reenter, guard, actions }: Definition,
): Way {
  const [to, other] = target ?? [];
  const stays = to === undefined || (to === source && !reenter);
  const entered = stays ? null : rows.get(to.key);
  if (entered === undefined || other !== undefined || to?.type === "compound")
    throw unsupported("transition-unsupported", source.id);
  return {
    guard: compileGuard(machine, guard),
    actions: actions.map((action) => compileAction(machine, action)),
    target: entered,
  };
}

/**
 * What a chart names, with what it is given. What XState makes of an action or a guard that it knows is a function with
 * the name of its kind, and with what it was made of.
 */
interface Named {
  readonly type: string;
  readonly params?: unknown;
  readonly made: Made | undefined;
}

interface Made {
  (turn: object, params: unknown): unknown;
  readonly type?: string;
  readonly check?: unknown;
  readonly assignment?: unknown;
  readonly event?: unknown;
  readonly collect?: Made;
}

function lookUp(given: unknown, implementations: Readonly<Record<string, unknown>>): Named {
  if (typeof given === "function") return { type: given.name, made: given as Made };
  const named = (typeof given === "string" ? { type: given } : given) as Omit<Named, "made">;
  return { ...named, made: implementations[named.type] as Made | undefined };
}

function compileGuard({ implementations }: AnyStateMachine, given: unknown): Way["guard"] {
  if (given === undefined) return () => true;
  const { type, params, made } = lookUp(given, implementations.guards);
  if (typeof made !== "function" || made.check !== undefined) throw unsupported("guard-unsupported", type);
  return (turn) => Boolean(made(turn, resolve(params, turn)));
}

function compileAction({ implementations }: AnyStateMachine, given: unknown): Action {
  const { type, params, made } = lookUp(given, implementations.actions);
  const valueIn = (turn: Turn, value: unknown): unknown =>
    typeof value === "function" ? value(turn, resolve(params, turn)) : value;
  if (made?.type === "xstate.assign") {
    return (turn) => {
      const { assignment } = made;
      const assigned =
        typeof assignment === "function"
          ? (valueIn(turn, assignment) as object)
          : Object.fromEntries(Object.entries(assignment as object).map(([at, value]) => [at, valueIn(turn, value)]));
      turn.context = { ...(turn.context as object), ...assigned };
    };
  }
  if (made?.type === "xstate.emit") {
    return (turn) => void turn.requests.push({ kind: "emit", event: valueIn(turn, made.event) as RunEvent });
  }
  if (made?.type === "xstate.enqueueActions") {
    return (turn) => void made.collect?.({ ...turn, enqueue: spawningIn(turn) }, resolve(params, turn));
  }
  // Whoever steps tells all machines itself what this one forwards.
  if ((made as unknown) === forward) return () => {};
  throw unsupported("action-unsupported", type);
}

/** What an action may enqueue: the start of a machine, and nothing else. */
const spawningIn = (turn: Turn): object => ({
  spawnChild: (src: string, { id, input }: { readonly id: string; readonly input?: unknown }) => {
    turn.requests.push({ kind: "spawn", id, src, input: resolve(input, turn) });
  },
});

type Unsupported = "chart-unsupported" | "transition-unsupported" | "guard-unsupported" | "action-unsupported";

const unsupported = (code: Unsupported, name: string): InvariantError =>
  new InvariantError(`Cannot step over ${code.split("-")[0]} \`${name}\`, expected one of plain states`, { code });
