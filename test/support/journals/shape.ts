import type { RunOptions } from "../../../src/hosts/node/run-options.ts";
import type { PolicyInput } from "../../../src/model/policy.ts";
import type { Reply } from "../../../src/model/reply.ts";
import type { PersonAnswer } from "../../../src/ports/person.ts";
import type { RunControl } from "../../../src/runtime/run-control.ts";

/** What answers may depend on, besides the delegation. */
export interface Scene {
  /** Folder of the spec. */
  readonly spec: string;
  /** Sends a message to the running start. */
  readonly control: RunControl;
  /** Stops it as Ctrl-C does. */
  interrupt(): void;
}

export type Said = string | Reply | ((scene: Scene) => string | Reply);

/** Options of a start in addition to the policy of its shape. */
export type Told = Pick<RunOptions, "decision" | "guidance" | "resume" | "speaker" | "policy" | "takeOver" | "accept">;

/** A run that is recorded as a fixture. */
export interface Shape {
  /** Name of its folder. */
  readonly name: string;
  readonly plan: string;
  readonly policy?: PolicyInput;
  /** Replies of attempts by task; the others claim completion. */
  readonly attempts?: Readonly<Record<string, readonly Said[]>>;
  /** Answers of the repair operator, by key. */
  readonly operator?: Readonly<Record<string, Said>>;
  /** Answers of the reviewer, by key; by default there is none. */
  readonly reviewer?: Readonly<Record<string, string>>;
  /** The reply of a second executor to everything, if there is one. */
  readonly standIn?: boolean;
  /** Answers of a person, question by question. */
  readonly person?: readonly (PersonAnswer | null)[];
  /** Options of each start; by default one without options. */
  readonly starts?: readonly Told[];
  /** In a repository of its own. */
  readonly git?: boolean;
  /** Turns its branch into a pull request of a forge in memory. */
  readonly ships?: boolean;
  /** Actions of people on a spec before a start, by its number from 1. */
  readonly between?: (spec: string, start: number) => void;
  /** Also recorded with a kill after these records, and resumed; `torn` leaves half a line after them. */
  readonly kills?: readonly number[];
  /** Options of the start after a kill, which is the second. */
  readonly behindKill?: Told;
  /** The error code with which this start is refused, if it is. */
  readonly refused?: string;
  readonly torn?: boolean;
}
