import type { RunMemory } from "../effects/run-memory.ts";
import type { WholePorts } from "../effects/with-memory.ts";
import type { GateError } from "../model/errors.ts";
import type { RunEvent } from "../model/event.ts";
import type { Speaker } from "../model/person-event.ts";
import type { Policy } from "../model/policy.ts";
import type { TimedRunRecord } from "../model/record.ts";
import type { Inspect } from "./drive-charts.ts";
import type { Heard } from "./run-control.ts";

export interface RunSetup {
  readonly ports: WholePorts;
  readonly memory: RunMemory;
  readonly policy: Policy;
  /** Records of the run so far, at least since the beginning of the last turn. */
  readonly records: readonly TimedRunRecord[];
  /** Whether to resume inside the last turn, as after a crash, without a new choice of a task. */
  readonly midTurn: boolean;
  readonly onEvent: (event: RunEvent) => void;
  /** Called after every step that changed the content of the views. */
  readonly refreshViews: () => Promise<void>;
  readonly heard?: Heard;
  /** Recorded as the sender of answers from the port `person`, and of the resume; by default the program itself. */
  readonly speaker?: Speaker;
  /** Error that ends a paused run if no one can resume it. Null or not given: the run waits. */
  readonly endsPaused?: () => GateError | null;
  readonly inspect?: Inspect;
  readonly signal: AbortSignal;
}
