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
  /** Replies by task, in order. All other attempts claim completion. */
  readonly attempts?: Readonly<Record<string, readonly Said[]>>;
  readonly operator?: Readonly<Record<string, Said>>;
  /** Answers by key. Default: no reviewer. */
  readonly reviewer?: Readonly<Record<string, string>>;
  readonly standIn?: boolean;
  readonly person?: readonly (PersonAnswer | null)[];
  readonly starts?: readonly Told[];
  readonly git?: boolean;
  readonly ships?: boolean;
  /** Changes of people before start number `start`, from 1. */
  readonly between?: (spec: string, start: number) => void;
  readonly kills?: readonly number[];
  readonly behindKill?: Told;
  readonly refused?: string;
  readonly torn?: boolean;
}
