import type { Claim } from "../../model/claim.ts";
import type { DeniedAct } from "../../model/permissions.ts";
import type { Usage } from "../../model/reply.ts";
import type { ServiceProblem } from "../../model/service-problem.ts";
import type { WorkProgress } from "../../ports/executor.ts";
import type { StreamEvent } from "./output/stream-event.ts";
import type { ToolRights } from "./setup/tool-rights.ts";
import type { ToolSurroundings, Trouble } from "./setup/tool-surroundings.ts";

/** How a known tool is called, and how what it prints is read. */
export interface Preset {
  readonly name: string;
  /** Its command line: prompt on stdin, no questions, events on stdout where it has them. No permission is given. */
  readonly command: string;
  /** What is added to that where a person gives it rights. */
  readonly rights: ToolRights;
  /** How long it may print nothing; a tool that is silent to its end has no such limit. */
  readonly idleTimeoutMs?: number;
  /**
   * Whether an event says that the tool waits, for as long as it takes, until its service can be reached: it is ended
   * then, and waited for where that can be seen.
   */
  readonly waits?: (event: StreamEvent) => boolean;
  /** Without it the whole stdout is the final message. */
  readonly openReader?: (options?: ReaderOptions) => StreamReader;
  /**
   * What would keep the tool from working here, as far as its own files and the environment tell. Nothing is started
   * or written. Without it nothing is known.
   */
  readonly checkFirst?: (surroundings: ToolSurroundings) => readonly Trouble[];
  /** Tells what events show of the work while the tool is at it: the last act, and the tokens so far. */
  readonly openWatch?: () => WorkWatch;
  /** What is added to its command line to have it claim in the form of a schema; without it the tool cannot. */
  readonly claimWords?: (schema: SchemaSource) => readonly string[];
}

/** Given an event, what there is to tell of the work; null for one that shows nothing of it. */
export type WorkWatch = (event: StreamEvent) => WorkProgress | null;

export interface ReaderOptions {
  /** The tool was asked to claim in the form of a schema. */
  readonly structuredClaim: boolean;
}

/** A JSON schema, in the form that a tool takes. */
export interface SchemaSource {
  readonly json: () => string;
  /** Path of a file with it. */
  readonly file: () => string;
}

/** How long a tool that streams may print nothing. */
export const streamIdleMs = 10 * 60 * 1000;

/** Takes in what a tool prints, event by event, and holds no more of it than the final message. */
export interface StreamReader {
  /** An event of an unknown type changes nothing. */
  see(event: StreamEvent): void;
  /** Also where there was no event at all: how it ended may say why. */
  end(how: StreamEnd): StreamReading;
}

/** How the tool ended. */
interface StreamEnd {
  readonly exitCode: number;
  /** The end of what it printed beside the stream. */
  readonly stderr: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What a stream says. */
export interface StreamReading {
  /**
   * The final message, or of one that broke off the last message; of a turn that ended in an error what that says in
   * one line. Null when there is none.
   */
  readonly text: string | null;
  /** Without fields that the tool does not tell. */
  readonly usage: Usage;
  readonly problem: ServiceProblem | null;
  /** Acts that the tool did not allow its agent; none when not given. */
  readonly denials?: readonly DeniedAct[];
  /** What it claims in the form of a schema. */
  readonly claim?: Claim;
}
