import type { Reply } from "../model/reply.ts";
import { ClaimAnswer, structuredClaim } from "../parse/claim.ts";

/** A tool with which an agent reports the outcome of one delegation. SDKs accept the whole object, or its fields. */
export interface ReportTool {
  readonly name: "report";
  readonly description: string;
  /** A zod schema, which is a Standard Schema too. */
  readonly inputSchema: typeof ClaimAnswer;
  /**
   * Takes a report. If there are several reports, the last one is used.
   *
   * @param input Untrusted.
   * @returns The answer to the agent.
   */
  readonly execute: (input: unknown) => Promise<string>;
  /** Returns the report as part of a reply; null before the first report. */
  readonly reported: () => Required<Pick<Reply, "text" | "claim">> | null;
}

/**
 * Create a report tool for one delegation, for an executor with `instructions: "tool"`. Reports of the tool are claims
 * (`complete`, `failed`, `blocked` or `modify`), and are verified like all claims.
 */
export function reportTool(): ReportTool {
  let reported: ReturnType<ReportTool["reported"]> = null;
  return {
    name: "report",
    description: "Report the outcome of the task: complete, failed, blocked or modify. Call it once, at the end.",
    inputSchema: ClaimAnswer,
    execute: async (input) => {
      const read = structuredClaim(input);
      if (read === null) return "Not accepted: expected `kind` and the field that belongs to it. Report again.";
      reported = { text: read.message, claim: read.claim };
      return "Received. End here.";
    },
    reported: () => reported,
  };
}
