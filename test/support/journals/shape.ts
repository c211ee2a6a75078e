import type { RunOptions } from "../../../src/hosts/node/run-options.ts";
import type { PolicyInput } from "../../../src/model/policy.ts";
import type { Reply } from "../../../src/model/reply.ts";
import type { PersonAnswer } from "../../../src/ports/ports.ts";
import type { RunControl } from "../../../src/runtime/run-control.ts";

export interface Scene {
  readonly spec: string;
  readonly control: RunControl;
  interrupt(): void;
}

export type Said = string | Reply | ((scene: Scene) => string | Reply);

export type Told = Pick<RunOptions, "decision" | "guidance" | "resume" | "speaker" | "policy" | "takeOver" | "accept">;

export interface Shape {
  readonly name: string;
  readonly plan: string;
  readonly policy?: PolicyInput;
  /** Replies in a task's attempts, in order. All other attempts claim completion. */
  readonly attempts?: Readonly<Record<string, readonly Said[]>>;
  readonly operator?: Readonly<Record<string, Said>>;
  /** Answers of the reviewer, by key. Default: no reviewer. */
  readonly reviewer?: Readonly<Record<string, string>>;
  /** Adds a second executor, which claims completion of every task. */
  readonly standIn?: boolean;
  readonly person?: readonly (PersonAnswer | null)[];
  /** Options of each start. Default: one start without options. */
  readonly starts?: readonly Told[];
  /** Whether the run works in a git repository of its own. */
  readonly git?: boolean;
  /** Whether the run turns its branch into a pull request, in a forge in memory. */
  readonly ships?: boolean;
  /** Changes that people make to the spec before start `start`, from 1. */
  readonly between?: (spec: string, start: number) => void;
  /**
   * Numbers of records after which the run is also recorded as killed and resumed. With `torn`, every second kill
   * leaves half a line.
   */
  readonly kills?: readonly number[];
  readonly behindKill?: Told;
  /** Error code with which the start after a kill is refused. */
  readonly refused?: string;
  readonly torn?: boolean;
}
