import type { RunOptions } from "../../../src/hosts/node/run-options.ts";
import type { PolicyInput } from "../../../src/model/policy.ts";
import type { Reply } from "../../../src/model/reply.ts";
import type { PersonAnswer } from "../../../src/ports/ports.ts";
import type { RunControl } from "../../../src/runtime/run-control.ts";

/** The running start that a scripted reply may act on. */
export interface Scene {
  /** Folder of the spec. */
  readonly spec: string;
  /** Sends a message to the running start. */
  readonly control: RunControl;
  /** Stops the start as Ctrl-C does. */
  interrupt(): void;
}

export type Said = string | Reply | ((scene: Scene) => string | Reply);

/** Options of a start in addition to the policy of its shape. */
export type Told = Pick<RunOptions, "decision" | "guidance" | "resume" | "speaker" | "policy" | "takeOver" | "accept">;

/** A run that is recorded as a fixture. */
export interface Shape {
  /** Name of the folder of its journal. */
  readonly name: string;
  readonly plan: string;
  readonly policy?: PolicyInput;
  /** Replies of a task's attempts, in order; all other attempts claim completion. */
  readonly attempts?: Readonly<Record<string, readonly Said[]>>;
  /** Answers of the repair operator, by key. */
  readonly operator?: Readonly<Record<string, Said>>;
  /** Answers of the reviewer, by key; without them there is no reviewer. */
  readonly reviewer?: Readonly<Record<string, string>>;
  /** Adds a second executor, which claims completion of everything. */
  readonly standIn?: boolean;
  /** Answers of a person, in the order of the questions. */
  readonly person?: readonly (PersonAnswer | null)[];
  /** Options of each start; by default one without options. */
  readonly starts?: readonly Told[];
  /** Works in its own git repository. */
  readonly git?: boolean;
  /** Ships its branch as a pull request to a forge in memory. */
  readonly ships?: boolean;
  /** Changes of the spec by people before a start; starts are counted from 1. */
  readonly between?: (spec: string, start: number) => void;
  /**
   * Numbers of records after which the run is also recorded as killed and resumed. With `torn` every second kill leaves
   * half a line.
   */
  readonly kills?: readonly number[];
  /** Options of the second start, which follows a kill. */
  readonly behindKill?: Told;
  /** The error code with which the start after a kill is refused, if it is. */
  readonly refused?: string;
  readonly torn?: boolean;
}
