import type { AnyStateMachine } from "xstate";
import { leanChart, nameOfGuard } from "./lean-chart.ts";

/**
 * A machine as a Mermaid state diagram, reduced so that it can be read at a glance. `⇥` marks the final states that a
 * state can reach.
 *
 * @param full Draw everything: states with descriptions, final states, and events accepted everywhere. The diagram is
 * wide.
 */
export const toMermaid = (machine: AnyStateMachine, { full = false }: { readonly full?: boolean } = {}): string =>
  full ? drawFull(machine) : drawLean(machine);

function drawLean(machine: AnyStateMachine): string {
  const { initial, states, edges, everywhere, heard } = leanChart(machine);
  const edge = (from: string, to: string, labels: readonly string[]): string =>
    `  ${from} --> ${to}${labels.length > 0 ? `: ${labels.map(plain).join("<br/>")}` : ""}`;
  const lines = [
    "stateDiagram-v2",
    ...(heard.length > 0 ? [`  %% accepted in every state: ${heard.flatMap(({ labels }) => labels).join(", ")}`] : []),
    `  [*] --> ${initial}`,
    ...states.flatMap(({ name, stops }) => (stops.length > 0 ? [`  ${name}: ${name}<br/>⇥ ${stops.join(" ")}`] : [])),
    ...edges.map(({ from, to, labels }) => edge(from, to, labels)),
    ...(everywhere.length > 0 ? ["  everywhere: in every state"] : []),
    ...everywhere.map(({ to, labels }) => edge("everywhere", to, labels)),
    ...states.flatMap(({ name, isFinal }) => (isFinal ? [edge(name, "[*]", [])] : [])),
  ];
  return `${lines.join("\n")}\n`;
}

function drawFull(machine: AnyStateMachine): string {
  const states = Object.values(machine.root.states);
  const lines = [
    "stateDiagram-v2",
    `  [*] --> ${machine.root.initial.target[0]?.key ?? ""}`,
    ...states.flatMap((state) => [
      `  ${state.key}: ${state.key}`,
      ...(state.description === undefined ? [] : [`  note right of ${state.key}: ${plain(state.description)}`]),
    ]),
    ...states.flatMap((state) => edgesOf(state).map(({ target, label }) => `  ${state.key} --> ${target}: ${label}`)),
    ...[...machine.root.transitions.values()]
      .flat()
      .flatMap((transition) =>
        (transition.target ?? []).flatMap((target) =>
          states
            .filter(({ type }) => type !== "final")
            .map((state) => `  ${state.key} --> ${target.key}: ${plain(transition.eventType)}`),
        ),
      ),
    ...states.filter(({ type }) => type === "final").map((state) => `  ${state.key} --> [*]`),
  ];
  return `${lines.join("\n")}\n`;
}

type StateNode = AnyStateMachine["root"];

function edgesOf(state: StateNode): { target: string; label: string }[] {
  const events = [...state.transitions.values()].flat();
  return [...events, ...(state.always ?? [])].flatMap(({ target, guard, eventType }) =>
    // A transition without a target stays in its state.
    (target ?? [state]).map(({ key }) => ({
      target: key,
      label: [causeOf(eventType), nameOf(guard)].filter((part) => part !== "").join(" ") || "otherwise",
    })),
  );
}

/** Label of an event: the finished effect or machine, or the event's name. */
function causeOf(eventType: string): string {
  const done = /^xstate\.done\.actor\.(.*)$/.exec(eventType)?.[1];
  if (done === undefined) return plain(eventType);
  return done === "*" ? "one done" : `${plain(done)} done`;
}

const nameOf = (guard: unknown): string => (guard === undefined ? "" : `[${plain(nameOfGuard(guard))}]`);

const plain = (text: string): string => text.replace(/[:;#]/g, ",");
