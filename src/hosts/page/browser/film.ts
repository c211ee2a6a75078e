import type { Frame, MoreFrames, Recording, TaskMark, TaskRow } from "../../../model/frame.ts";
import { unpackFrames } from "../../../runtime/pack-frames.ts";

/** What becomes of one task, by the frames in which it changes. */
interface Course {
  readonly frames: number[];
  readonly marks: TaskMark[];
  /** Frames in which an attempt begins, and in which something is spent, with all that is spent by then. */
  readonly attempts: number[];
  readonly paid: number[];
  readonly costs: number[];
}

/** All frames of a run, indexed so that any of them is shown at once. */
export class Film {
  readonly frames: Frame[] = [];
  rows: TaskRow[];
  /** Frames in which something failed, and in which a person was asked. */
  readonly failures: number[] = [];
  readonly questions: number[] = [];
  /** Frames with which turns begin. */
  readonly turns: number[] = [];
  readonly #courses = new Map<string, Course>();
  /** Tasks done, by frame. */
  readonly #done: number[] = [];

  constructor({ tasks, frames }: Pick<Recording, "tasks" | "frames">) {
    this.rows = tasks;
    this.#add(unpackFrames(frames));
  }

  get last(): number {
    return this.frames.length - 1;
  }

  /** Take in what has happened since. */
  take({ from, frames, tasks }: MoreFrames): void {
    for (const { after, ...row } of tasks) {
      const rows = this.rows.filter(({ id }) => id !== row.id);
      const known = this.rows.findIndex(({ id }) => id === row.id);
      const behind = rows.findIndex(({ id }) => id === after);
      rows.splice(known >= 0 ? known : behind >= 0 ? behind + 1 : rows.length, 0, row);
      this.rows = rows;
    }
    this.#add(frames.slice(Math.max(0, this.frames.length - from)));
  }

  #add(frames: readonly Frame[]): void {
    let done = this.#done.at(-1) ?? this.rows.filter((row) => row.done && row.madeFor === null).length;
    let cost = this.frames.at(-1)?.spent.costUsd ?? 0;
    for (const frame of frames) {
      const index = this.frames.push(frame) - 1;
      if (frame.cause === "chooseTask") this.turns.push(index);
      for (const { task, mark } of frame.marks) {
        const course = this.#courseOf(task);
        const before = course.marks.at(-1);
        course.frames.push(index);
        course.marks.push(mark);
        if (mark === "failed") this.failures.push(index);
        if (mark === "asking") this.questions.push(index);
        if (!this.#isPlanned(task)) continue;
        if (mark === "passed" && before !== "passed") done += 1;
        if (mark !== "passed" && before === "passed") done -= 1;
      }
      if (frame.task !== null) this.#pay(frame, index, frame.spent.costUsd - cost);
      cost = frame.spent.costUsd;
      this.#done.push(done);
    }
  }

  #pay({ task, cause, marks }: Frame, index: number, paid: number): void {
    const course = this.#courseOf(task as string);
    if (cause === "delegated" && marks.length > 0) course.attempts.push(index);
    if (paid <= 0) return;
    course.paid.push(index);
    course.costs.push((course.costs.at(-1) ?? 0) + paid);
  }

  readonly #planned = new Map<string, boolean>();
  #isPlanned(task: string): boolean {
    if (this.#planned.size < this.rows.length) {
      for (const { id, madeFor } of this.rows) this.#planned.set(id, madeFor === null);
    }
    return this.#planned.get(task) ?? false;
  }

  #courseOf(task: string): Course {
    const known = this.#courses.get(task);
    if (known !== undefined) return known;
    const made: Course = { frames: [], marks: [], attempts: [], paid: [], costs: [] };
    this.#courses.set(task, made);
    return made;
  }

  /** What has become of a task by a frame. */
  markAt({ id, done }: Pick<TaskRow, "id" | "done">, frame: number): TaskMark {
    const course = this.#courses.get(id);
    const place = course === undefined ? 0 : upTo(course.frames, frame);
    return course?.marks[place - 1] ?? (done ? "passed" : "open");
  }

  attemptsAt(task: string, frame: number): number {
    return upTo(this.#courses.get(task)?.attempts ?? [], frame);
  }

  costAt(task: string, frame: number): number {
    const course = this.#courses.get(task);
    return course === undefined ? 0 : (course.costs[upTo(course.paid, frame) - 1] ?? 0);
  }

  /** Planned tasks that are done, and all of them. */
  doneAt(frame: number): { readonly done: number; readonly of: number } {
    return { done: this.#done[frame] ?? 0, of: this.rows.filter(({ madeFor }) => madeFor === null).length };
  }

  /** The first frame of the turn before or behind a frame. */
  turnFrom(frame: number, by: -1 | 1): number {
    const at = upTo(this.turns, by === 1 ? frame : frame - 1);
    return (by === 1 ? this.turns[at] : this.turns[at - 1]) ?? (by === 1 ? this.last : 0);
  }
}

/** How many of some numbers, which grow, are at most this one. */
function upTo(numbers: readonly number[], most: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
