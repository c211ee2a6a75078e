import type { RunOptions } from "../../../src/hosts/node/run-options.ts";
import type { PolicyInput } from "../../../src/model/policy.ts";
import type { Reply } from "../../../src/model/reply.ts";
import type { PersonAnswer } from "../../../src/ports/person.ts";
import type { RunControl } from "../../../src/runtime/run-control.ts";

/** What answers may follow from, besides the delegation. */
export interface Scene {
  /** Folder of the spec. */
  readonly spec: string;
  /** Says something to the start that is under way. */
  readonly control: RunControl;
  /** Stops it as Ctrl-C does. */
  interrupt(): void;
}

export type Said = string | Reply | ((scene: Scene) => string | Reply);

/** What a start is told beside the policy of its shape. */
export type Told = Pick<RunOptions, "decision" | "guidance" | "resume" | "speaker" | "policy" | "takeOver" | "accept">;

/** A run that is recorded as a fixture. */
export interface Shape {
  /** Name of its folder. */
  readonly name: string;
  readonly plan: string;
  readonly policy?: PolicyInput;
  /** What each attempt on a task answers; the others claim it. */
  readonly attempts?: Readonly<Record<string, readonly Said[]>>;
  /** What the repair operator answers, by key. */
  readonly operator?: Readonly<Record<string, Said>>;
  /** What the reviewer answers, by key; nobody reviews when it is not given. */
  readonly reviewer?: Readonly<Record<string, string>>;
  /** What a second executor answers to everything, where there is one. */
  readonly standIn?: boolean;
  /** What a person answers, question by question. */
  readonly person?: readonly (PersonAnswer | null)[];
  /** What each start is told; one without more when not given. */
  readonly starts?: readonly Told[];
  /** In a repository of its own. */
  readonly git?: boolean;
  /** Brings its branch to a pull request of a forge in memory. */
  readonly ships?: boolean;
  /** What people do to a spec before a start, by its number from 1. */
  readonly between?: (spec: string, start: number) => void;
  /** Also recorded as killed behind these records, and gone on with; `torn` leaves half a line behind. */
  readonly kills?: readonly number[];
  /** What the start behind a kill is told, which is the second. */
  readonly behindKill?: Told;
  /** The code that this start is refused with, if it is. */
  readonly refused?: string;
  readonly torn?: boolean;
}
