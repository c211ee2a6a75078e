import { commandLine, type SpecAddress } from "../../model/command-line.ts";
import { InputError } from "../../model/errors.ts";
import type { PersonDecision } from "../../model/person-event.ts";
import { escapeText } from "../../wording/escape-text.ts";
import type { SpecFolder } from "../node/find-spec.ts";
import { readStatus } from "../node/reading/read-status.ts";
import { hasOpenQuestion } from "../node/reading/recorded-starts.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Refuse advice for a run that has no task up that would hear it; say so where that is not certain.
 *
 * @throws {InputError} `nothing-to-decide`
 */
export function checkGuidance(
  { name, folder }: SpecFolder,
  { err }: Pick<Terminal, "err">,
  address: SpecAddress,
): void {
  const { outcome } = readStatus(folder);
  if (outcome === "limit") {
    err(
      `notice: ${escapeText(name)} stopped at a limit: the guidance has no effect until you raise the limit or change the plan\n`,
    );
  }
  if (outcome !== "skipped") return;
  throw new InputError(`Cannot take guidance for \`${name}\`, expected a run with a task that is still to be done`, {
    code: "nothing-to-decide",
    hint: `First have what was left out done after all: ${commandLine(address, "resume", { options: ["--decision", "retry"] })}`,
  });
}

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
