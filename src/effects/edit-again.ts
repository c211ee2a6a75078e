import { EnvironmentError } from "../model/errors.ts";
import type { PlanEdit } from "../ports/documents.ts";

/** Maximum number of times to try an edit; if someone else edits each time, the run stops. */
const mostTries = 10;

/**
 * Edit the plan; if someone else edits it at the same moment, retry on the new text. Executors tick boxes while other
 * members of their batch are judged.
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
