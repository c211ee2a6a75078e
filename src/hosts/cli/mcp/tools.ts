import type { CallToolResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { FixpointError } from "../../../model/errors.ts";
import { PersonDecision } from "../../../model/person-event.ts";
import { claimFields } from "../../../parse/claim.ts";
import { renderExplanation } from "../../../wording/render-explanation.ts";
import type { Place } from "./place.ts";
import { ownGate, type Steps } from "./steps.ts";

const text = z.string();
const Task = z.looseObject({ nonce: text, key: text, prompt: text });
const Step = z.looseObject({
  kind: z.enum(["work", "waiting", "asked", "ended", "checking"]),
  tasks: z.array(Task).optional(),
  until: text.optional(),
  question: text.optional(),
  outcome: text.optional(),
});
const Taken = z.looseObject({ verdict: z.unknown(), next: z.unknown() }).partial();
const nonce = text.describe("from next_task");

export function registerTools(server: McpServer, steps: Steps, place: Place): void {
  server.registerTool(
    "next_task",
    {
      description:
        "The next task. kind work: do each task as its prompt says (cut off? read promptFile), then report_result with its nonce. checking: call wait_event. waiting: call again at `until`. asked: a person has to answer, stop and tell them. ended: stop.",
      outputSchema: Step,
    },
    answer((_, signal) => steps.next(signal)),
  );
  server.registerTool(
    "report_result",
    {
      description:
        "Report a task. fixpoint verifies it and returns the verdict, and in `next` the result of next_task.",
      inputSchema: z.object({
        nonce,
        claim: z.enum(["complete", "failed", "blocked"]),
        message: text.describe("what was done; failed: what went wrong; blocked: what a person has to decide"),
        attemptedFix: text.optional(),
      }),
      outputSchema: Taken,
    },
    answer(({ nonce: given, ...report }, signal) => steps.report(given, report, signal)),
  );
  server.registerTool(
    "request_change",
    {
      description: "Ask for a change of the plan instead of doing a task.",
      inputSchema: z.object({ nonce, message: text.optional(), request: claimFields.request.unwrap().unwrap() }),
      outputSchema: Taken,
    },
    answer(({ nonce: given, ...rest }, signal) => steps.report(given, { claim: "modify", ...rest }, signal)),
  );
  server.registerTool(
    "wait_event",
    { description: "Wait for the verdict of a report that is being checked, at most 45 s.", outputSchema: Taken },
    answer((_, signal) => steps.wait(signal)),
  );
  server.registerTool(
    "status",
    { description: "State of the run and of every task.", outputSchema: z.looseObject({ spec: text }) },
    answer(() => place.status()),
  );
  server.registerTool(
    "why",
    { description: "Explain the state of a task: every decision.", inputSchema: z.object({ task: text }) },
    answer(({ task }) => renderExplanation(place.why(task))),
  );
  server.registerTool(
    "say",
    {
      description: "Send a person's message to a run that `fixpoint run` drives. Refused if tasks were handed out.",
      inputSchema: z.object({
        word: z.enum(["pause", "resume", "guidance", ...PersonDecision.options]),
        text: text.optional(),
        task: text.optional(),
      }),
    },
    answer((said) => {
      if (steps.hasHanded()) throw ownGate();
      return place.say(said);
    }),
  );
  server.registerTool(
    "lint",
    {
      description: "Check the plan; lists problems by line.",
      outputSchema: z.looseObject({ problems: z.array(z.unknown()) }),
    },
    answer(() => place.lint()),
  );
}

/**
 * Build the answer of a call; a `FixpointError` becomes its code, message and hint.
 *
 * @param act `signal` is aborted if the client cancels the call.
 * @returns A handler that takes the input and the context of a call, or only the context if the tool has no input.
 */
const answer =
  <Given>(act: (given: Given, signal: AbortSignal) => unknown) =>
  async (given: Given, context = given as ServerContext): Promise<CallToolResult> => {
    try {
      const result = await act(given, context.mcpReq.signal);
      if (typeof result === "string") return { content: [{ type: "text", text: result }] };
      return {
        content: [{ type: "text", text: JSON.stringify(result) }],
        structuredContent: result as Record<string, unknown>,
      };
    } catch (error) {
      if (!(error instanceof FixpointError)) throw error;
      const { code, message, hint } = error;
      const told = [`${code}: ${message}`, ...(hint === undefined ? [] : [hint])].join("\n");
      return { isError: true, content: [{ type: "text", text: told }] };
    }
  };
