import { EnvironmentError } from "../model/errors.ts";
import type { PlanEdit } from "../ports/documents.ts";

/** How often an edit is made anew; who edits all the time stops the run. */
const mostTries = 10;

/**
 * Make an edit of the plan, and make it anew on what stands there then when somebody else has edited the plan at that
 * very moment: executors tick their own boxes while others of their batch are judged.
 *
 * @throws {EnvironmentError} `plan-changed-underneath`, at last
 */
export async function editAgain(edit: () => Promise<PlanEdit>): Promise<PlanEdit> {
  for (let tries = 1; ; tries++) {
    try {
      return await edit();
    } catch (error) {
      const isMissed = error instanceof EnvironmentError && error.code === "plan-changed-underneath";
      if (!isMissed || tries === mostTries) throw error;
    }
  }
}
