import type { StateReading } from "../../../adapters/documents/state-file.ts";
import type { JournalReading } from "../../../adapters/journal/read-journal.ts";
import type { Agreement } from "../../../model/agreement.ts";
import type { Start as AnyStart } from "../../../runtime/start.ts";
import type { VerifyCommands } from "../consent/verify-commands.ts";
import type { SpecFolder } from "../find-spec.ts";
import type { RunOptions } from "../run-options.ts";
import type { CommitGuard } from "./commit-guard.ts";

/** What the owner of a spec has agreed to. A run may ask for more. */
export interface Consent {
  current(): Agreement;
  agree(agreement: Agreement): void;
}

/** A start over files. */
export interface Start extends AnyStart {
  readonly options: RunOptions;
  readonly workspace: string;
  readonly spec: SpecFolder;
  readonly reading: JournalReading;
  readonly state: StateReading;
  /** The Verify commands that may run; null when the run executes none. */
  readonly agreed: VerifyCommands | null;
  /** All commands that the plan names, whether they may run or not. */
  readonly commands: readonly string[];
  /** What the owner has agreed to so far. */
  readonly consent: Consent;
  readonly guard: CommitGuard;
}
