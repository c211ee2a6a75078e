import type { Claim } from "../../model/claim.ts";
import type { DeniedAct } from "../../model/permissions.ts";
import type { Usage } from "../../model/reply.ts";
import type { ServiceProblem } from "../../model/service-problem.ts";
import type { WorkProgress } from "../../ports/executor.ts";
import type { StreamEvent } from "./output/stream-event.ts";
import type { ToolRights } from "./setup/tool-rights.ts";
import type { ToolSurroundings, Trouble } from "./setup/tool-surroundings.ts";

/** How a known tool is called, and how its output is read. */
export interface Preset {
  readonly name: string;
  /** Its command line: prompt on stdin, no questions, events on stdout if it has them, no permissions. */
  readonly command: string;
  /** What is added to the command line when a person gives it rights. */
  readonly rights: ToolRights;
  /** How long it may print nothing; not given for a tool that is silent until its end. */
  readonly idleTimeoutMs?: number;
  /**
   * Whether an event says that the tool waits without limit for its service. The tool is then ended, and the run itself
   * waits.
   */
  readonly waits?: (event: StreamEvent) => boolean;
  /** Without it the whole stdout is the final message. */
  readonly openReader?: (options?: ReaderOptions) => StreamReader;
  /**
   * What would keep the tool from working here, as far as its own files and the environment show. Starts and writes
   * nothing. Not given for a tool of which that is unknown.
   */
  readonly checkFirst?: (surroundings: ToolSurroundings) => readonly Trouble[];
  /** Reads progress from the events while the tool works: its last act, and the tokens so far. */
  readonly openWatch?: () => WorkWatch;
  /**
   * What is added to its command line for a claim as JSON in a fixed schema; not given when the tool has no such
   * option.
   */
  readonly claimWords?: (schema: SchemaSource) => readonly string[];
}

/** The progress that an event shows; null for none. */
export type WorkWatch = (event: StreamEvent) => WorkProgress | null;

export interface ReaderOptions {
  /** Whether the tool was asked for a claim as JSON in a fixed schema. */
  readonly structuredClaim: boolean;
}

/** A JSON schema, in the two forms that tools take. */
export interface SchemaSource {
  readonly json: () => string;
  /** Path of a file with the schema. */
  readonly file: () => string;
}

/** Takes a tool's output, event by event. Holds little more than the final message. */
export interface StreamReader {
  /** An event of an unknown type changes nothing. */
  see(event: StreamEvent): void;
  /** Called also when there was no event at all: the way the tool ended may say why. */
  end(how: StreamEnd): StreamReading;
}

/** How the tool ended. */
interface StreamEnd {
  readonly exitCode: number;
  /** The end of its stderr. */
  readonly stderr: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What a stream has said. */
export interface StreamReading {
  /**
   * The final message, or the last one of a stream that broke off. For a turn that ended in an error, that error in one
   * line. Null when there is none.
   */
  readonly text: string | null;
  /** Without fields that the tool does not report. */
  readonly usage: Usage;
  readonly problem: ServiceProblem | null;
  /** Acts that the tool denied its agent; none when not given. */
  readonly denials?: readonly DeniedAct[];
  /** The claim as JSON in the fixed schema. */
  readonly claim?: Claim;
}
