import { problemOf } from "../effects/problem-of.ts";
import type { Reply, Usage } from "../model/reply.ts";
import { worksOnTasks } from "../model/role.ts";
import type { Instructions } from "../ports/delegation-parts.ts";
import type { Delegation, Executor, TellProgress } from "../ports/executor.ts";
import { type ReportTool, reportTool } from "./report-tool.ts";

/** Input for creating an agent for one delegation. */
export interface AgentContext {
  readonly delegation: Delegation;
  readonly report: ReportTool;
}

export interface AgentSettings {
  /** `tool` if the agent has the report tool: an attempt without a report then fails. `text` by default. */
  readonly instructions?: Instructions;
}

interface AgentWork extends AgentContext {
  readonly signal: AbortSignal;
  readonly tell: TellProgress;
  /** Records the usage so far, which is reported if the agent ends with an error. */
  readonly noteUsage: (total: Usage) => void;
}

/**
 * Create an executor that runs an agent of an SDK. An error about the service (quota, login, overload, network) becomes
 * the problem of the reply, which spends no attempt. Other errors are thrown, and do not count as failures of the task.
 *
 * @param work Runs the agent.
 */
export function agentExecutor(
  { instructions = "text" }: AgentSettings,
  work: (work: AgentWork) => Promise<Reply>,
): Executor {
  const attempt = async (given: Omit<AgentWork, "noteUsage">): Promise<Reply> => {
    let usage: Usage = {};
    try {
      return await work({ ...given, noteUsage: (total) => (usage = total) });
    } catch (error) {
      given.signal.throwIfAborted();
      // Accept a report even if the agent fails after it.
      if (given.report.reported() !== null) return { text: "", usage };
      const problem = problemOf(error);
      if (problem === null) throw error;
      return { text: "", problem, usage };
    }
  };
  const executor: Executor = async (delegation, signal, tell) => {
    const report = reportTool();
    const reply = await attempt({ delegation, signal, tell, report });
    signal.throwIfAborted();
    if (!worksOnTasks(delegation.role)) return reply;
    const reported = report.reported();
    if (reported !== null) return { ...reply, ...reported, text: reported.text || reply.text };
    if (instructions === "text" || reply.claim !== undefined || reply.problem !== undefined) return reply;
    return { ...reply, claim: { kind: "failed", error: "The agent ended without a report" } };
  };
  return Object.assign(executor, { instructions });
}

/** Tokens of one or more steps, in the form of most SDKs; a count is undefined if the service does not report it. */
export interface TokenCounts {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

export const usageOf = ({ inputTokens, outputTokens }: TokenCounts): Usage => ({
  ...(inputTokens !== undefined && { inputTokens }),
  ...(outputTokens !== undefined && { outputTokens }),
});
