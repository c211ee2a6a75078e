import type { RunMemory } from "../effects/run-memory.ts";
import type { WholePorts } from "../effects/with-memory.ts";
import type { GateError } from "../model/errors.ts";
import type { RunEvent } from "../model/event.ts";
import type { Speaker } from "../model/person-event.ts";
import type { Policy } from "../model/policy.ts";
import type { TimedRunRecord } from "../model/record.ts";
import type { Inspect } from "./drive-charts.ts";
import type { Heard } from "./run-control.ts";

/** Input of a run. */
export interface RunSetup {
  readonly ports: WholePorts;
  readonly memory: RunMemory;
  readonly policy: Policy;
  /** Records of the run so far, at least from the beginning of the last turn on. */
  readonly records: readonly TimedRunRecord[];
  /** Whether to resume inside the last turn, as after a crash; else a task is chosen again. */
  readonly midTurn: boolean;
  readonly onEvent: (event: RunEvent) => void;
  /** Called after every step that changed the content of the views. */
  readonly refreshViews: () => Promise<void>;
  /** Messages from people during the run; none if not given. */
  readonly heard?: Heard;
  /** The one who answers through the port `person` and who resumes the run; the program itself if not given. */
  readonly speaker?: Speaker;
  /** Error that ends a paused run that no one can resume; if null or not given, the run waits. */
  readonly endsPaused?: () => GateError | null;
  /** Inspector for native actors; none if not given. */
  readonly inspect?: Inspect;
  readonly signal: AbortSignal;
}
