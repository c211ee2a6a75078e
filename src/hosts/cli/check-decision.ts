import { commandLine, type SpecAddress } from "../../model/command-line.ts";
import { InputError } from "../../model/errors.ts";
import type { PersonDecision } from "../../model/person-event.ts";
import type { SpecFolder } from "../node/find-spec.ts";
import { readStatus } from "../node/read-status.ts";
import { hasOpenQuestion } from "../node/recorded-starts.ts";

/**
 * Refuse a decision that no stopped run has asked for: nobody would hear it.
 *
 * @throws {InputError} `nothing-to-decide`
 */
export function checkDecision(spec: SpecFolder, decision: PersonDecision, address: SpecAddress): void {
  const { outcome, resumable } = readStatus(spec.folder);
  // What was left out is taken up again; where no run is there, that is what is to be said.
  if (!resumable || outcome === "gate" || outcome === "checkpoint") return;
  if (outcome === "skipped" ? decision === "retry" : hasOpenQuestion(spec)) return;
  throw new InputError(
    `Cannot decide \`${decision}\` for \`${spec.name}\`, expected a run that stopped with a question`,
    {
      code: "nothing-to-decide",
      hint: `Go on without a decision: ${commandLine(address, "resume")}`,
    },
  );
}
