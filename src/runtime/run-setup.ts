import type { RunMemory } from "../effects/run-memory.ts";
import type { WholePorts } from "../effects/with-memory.ts";
import type { GateError } from "../model/errors.ts";
import type { RunEvent } from "../model/event.ts";
import type { Speaker } from "../model/person-event.ts";
import type { Policy } from "../model/policy.ts";
import type { TimedRunRecord } from "../model/record.ts";
import type { Inspect } from "./inspect.ts";
import type { Heard } from "./run-control.ts";

/** What a run needs besides its ports. */
export interface RunSetup {
  readonly ports: WholePorts;
  readonly memory: RunMemory;
  readonly policy: Policy;
  /** The records of the run so far, from the beginning of a turn on. */
  readonly records: readonly TimedRunRecord[];
  /** Go on in the middle of the last turn, as after a crash; else a task is chosen afresh. */
  readonly midTurn: boolean;
  readonly onEvent: (event: RunEvent) => void;
  /** Called after every step that changed what the views show. */
  readonly refreshViews: () => Promise<void>;
  /** What people say while it is under way; nobody can when not given. */
  readonly heard?: Heard;
  /** Who answers what the port `person` is asked, and lets a paused run go on; the program itself when not given. */
  readonly speaker?: Speaker;
  /** Why the run ends where it is paused, if nobody can resume it; it waits when this is not given, or gives null. */
  readonly endsPaused?: () => GateError | null;
  /** Told what an inspector of native actors is told; nobody is when not given. */
  readonly inspect?: Inspect;
  readonly signal: AbortSignal;
}
