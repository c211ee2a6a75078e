import type { Frame, Lane, PackedFrames, TaskMark } from "../model/frame.ts";

/** Lanes as one text; what they are at is kept beside it, since that differs more often. */
type Shape = [path: string, machine: string, state: string, from: string | null, hasTask: boolean];

/** Columns of numbers that mostly grow, kept as what they grow by; costs in millionths of a dollar. */
const growing = ["at", "start", "turn", "delegations", "micros", "tokens", "elapsedMs"] as const;
type Growing = Record<(typeof growing)[number], number>;

const millionths = 1_000_000;

/** Frames in columns. What they say is kept, but for costs below a millionth of a dollar and fractions of a millisecond. */
export function packFrames(frames: readonly Frame[]): PackedFrames {
  const places = new Map<string, number>();
  const columns: Record<string, number[]> = {};
  const put = (name: string, value: number): void => {
    columns[name] ??= [];
    columns[name].push(value);
  };
  /** Its place, from 1; 0 for none. */
  const place = (text: string | null): number => {
    if (text === null) return 0;
    const known = places.get(text) ?? places.size + 1;
    places.set(text, known);
    return known;
  };
  let last: Growing = grownFrom(null);
  for (const frame of frames) {
    const now = grownFrom(frame);
    for (const name of growing) put(name, now[name] - last[name]);
    last = now;
    put("cause", place(frame.cause));
    put("task", place(frame.task));
    put("attempt", frame.attempt === null ? 0 : frame.attempt + 1);
    put("paused", frame.paused ? 1 : 0);
    put("ending", place(frame.ending));
    put("lanes", place(JSON.stringify(frame.lanes.map(shapeOf))));
    for (const { task } of frame.lanes) if (task !== null) put("laneTasks", place(task));
    put("marks", frame.marks.length);
    for (const { task, mark } of frame.marks) {
      put("markTasks", place(task));
      put("markWords", place(mark));
    }
  }
  return { count: frames.length, texts: [...places.keys()], columns };
}

/** Frames as they were packed. */
export function unpackFrames({ count, texts, columns }: PackedFrames): Frame[] {
  const heads: Record<string, number> = {};
  const take = (name: string): number => {
    const head = heads[name] ?? 0;
    heads[name] = head + 1;
    return columns[name]?.[head] ?? 0;
  };
  const word = (name: string): string | null => texts[take(name) - 1] ?? null;
  const shapes = new Map<string, Shape[]>();
  const shapesAt = (text: string): Shape[] => {
    const known = shapes.get(text) ?? (JSON.parse(text) as Shape[]);
    shapes.set(text, known);
    return known;
  };
  const grown: Growing = grownFrom(null);
  return Array.from({ length: count }, () => {
    for (const name of growing) grown[name] += take(name);
    const { at, start, turn, delegations, micros, tokens, elapsedMs } = grown;
    const attempt = take("attempt");
    return {
      version: 1,
      ...{ at, start, turn },
      cause: word("cause") ?? "",
      task: word("task"),
      attempt: attempt === 0 ? null : attempt - 1,
      lanes: shapesAt(word("lanes") ?? "[]").map(([path, machine, state, from, hasTask]): Lane => {
        return { path, machine, state, from, task: hasTask ? word("laneTasks") : null };
      }),
      marks: Array.from({ length: take("marks") }, () => {
        return { task: word("markTasks") ?? "", mark: word("markWords") as TaskMark };
      }),
      spent: { delegations, costUsd: micros / millionths, tokens, elapsedMs },
      paused: take("paused") === 1,
      ending: word("ending") as Frame["ending"],
    };
  });
}

const shapeOf = ({ path, machine, state, from, task }: Lane): Shape => [path, machine, state, from, task !== null];

function grownFrom(frame: Frame | null): Growing {
  if (frame === null) return { at: 0, start: 0, turn: 0, delegations: 0, micros: 0, tokens: 0, elapsedMs: 0 };
  const { at, start, turn, spent } = frame;
  const { delegations, costUsd, tokens, elapsedMs } = spent;
  return {
    ...{ at, start, turn, delegations, tokens },
    micros: Math.round(costUsd * millionths),
    elapsedMs: Math.round(elapsedMs),
  };
}
