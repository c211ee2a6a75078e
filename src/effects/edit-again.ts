import { EnvironmentError } from "../model/errors.ts";
import type { PlanEdit } from "../ports/documents.ts";

/** Maximum retries of an edit; someone who edits permanently stops the run. */
const mostTries = 10;

/**
 * Edit the plan, and retry on the new text if someone else edits it at the same moment: executors tick their boxes
 * while others of their batch are judged.
 *
 * @throws {EnvironmentError} `plan-changed-underneath` after the last retry
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
