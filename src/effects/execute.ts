import { EnvironmentError, FixpointError } from "../model/errors.ts";
import { interpreted } from "../model/interpreted.ts";
import { Reply } from "../model/reply.ts";

/**
 * Run an executor, and validate its reply.
 *
 * @throws {EnvironmentError} `executor-not-started`, `executor-failed`: there was no reply.
 */
export async function execute(start: () => Promise<Reply | string>, task: string): Promise<Reply> {
  try {
    const reply = await start();
    if (typeof reply === "string") return { text: reply };
    const checked = Reply.safeParse(reply, interpreted);
    if (!checked.success) throw new Error(`its reply is invalid: ${checked.error.issues[0]?.message}`);
    const { claim } = checked.data;
    if (reply.ended !== "spawn") return claim === undefined ? reply : { ...reply, claim };
    throw new EnvironmentError(`Cannot start the executor for task \`${task}\`: ${reply.text}`, {
      code: "executor-not-started",
    });
  } catch (cause) {
    if (cause instanceof FixpointError) throw cause;
    throw new EnvironmentError(`Cannot execute task \`${task}\`: ${String(cause)}`, {
      code: "executor-failed",
      hint: "Fix the executor, then run again: the attempt is repeated",
      cause,
    });
  }
}
