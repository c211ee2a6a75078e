import type { Executor, Shell } from "../../ports.ts";

type Redact = (text: string) => string;

/** An executor whose replies are told without secrets, before anything is made of them. */
export const redactReplies =
  (execute: Executor, redact: Redact): Executor =>
  async (delegation, signal) => {
    const reply = await execute(delegation, signal);
    if (typeof reply === "string") return redact(reply);
    const { text, stderr, problem } = reply;
    return {
      ...reply,
      text: redact(text),
      ...(stderr !== undefined && { stderr: redact(stderr) }),
      ...(problem !== undefined && { problem: { ...problem, message: redact(problem.message) } }),
    };
  };

/** A shell whose commands' output is told without secrets. */
export const redactResults = ({ run, exists }: Shell, redact: Redact): Shell => ({
  exists,
  run: async (...given) => {
    const result = await run(...given);
    return { ...result, stdout: redact(result.stdout), stderr: redact(result.stderr) };
  },
});
