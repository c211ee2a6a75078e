import type { JournalReading } from "../../adapters/journal.ts";
import type { StateReading } from "../../adapters/state-file.ts";
import type { Agreement } from "../../model/agreement.ts";
import type { SpecAddress } from "../../model/command-line.ts";
import type { RunEvent } from "../../model/event.ts";
import type { Plan } from "../../model/plan.ts";
import type { TaskId } from "../../model/task-id.ts";
import type { Documents } from "../../ports/documents.ts";
import type { SpecFolder } from "./find-spec.ts";
import type { Origin } from "./open-run.ts";
import type { RunOptions } from "./run-options.ts";
import type { VerifyCommands } from "./verify-commands.ts";

/** What the owner of a spec has agreed to, which a run may ask more of. */
export interface Consent {
  current(): Agreement;
  agree(agreement: Agreement): void;
}

/** A start of a coordinator whose input was checked. */
export interface Start {
  readonly options: RunOptions;
  readonly workspace: string;
  readonly spec: SpecFolder;
  readonly address: SpecAddress;
  readonly documents: Documents;
  readonly reading: JournalReading;
  readonly state: StateReading;
  readonly origin: Origin;
  /** Whether the limit that stopped the start before still stands: it goes on only with what a person has mended. */
  readonly limited: boolean;
  /** The Verify commands that may run; null when none is run. */
  readonly agreed: VerifyCommands | null;
  /** The commands that the plan names, whether they may run or not. */
  readonly commands: readonly string[];
  /** What the owner has agreed to so far. */
  readonly consent: Consent;
  readonly emit: (event: RunEvent) => void;
  /** Tell that the run begins, on this plan. */
  readonly announce: (plan: Plan, skipped?: Iterable<TaskId>) => void;
}
