import { noEscalation } from "../model/escalation.ts";
import type { DelegationParts, SetAside, ToldCollision } from "../ports/delegation-parts.ts";
import { fenceText, firstPart, lastPart, numberLines, onOneLine } from "./fence-text.ts";
import { instructionsFor, renderPart } from "./instructions.ts";
import { renderClimb } from "./render-climb.ts";
import { renderContext } from "./render-context.ts";
import { renderEarlier, renderEvidence } from "./render-evidence.ts";

const maxText = 200;

/** After this many prompts rejected as too long, the next prompt is as short as possible. */
export const shortestPrompt = 2;

export const maxProgress = 4096;
const maxAdvice = 4000;
const shareOfEvidence = 0.75;

/**
 * Build the prompt of a delegation from its parts. Foreign texts are in fences that they cannot close, and signal words
 * are never alone on a line, so an echo of the prompt is not read as a claim.
 *
 * @returns Text that ends with a line feed.
 */
export function renderPrompt(parts: DelegationParts): string {
  const { role, task, block, spec, part = null, tooLong = 0 } = parts;
  const progress = lastPart(parts.progress, [maxProgress, maxProgress / 8][tooLong] ?? 0);
  const maxEvidence = (parts.maxEvidence ?? 8000) / 4 ** Math.min(tooLong, shortestPrompt);
  const sections = [
    `Task: Execute ${role === "verifier" ? "verification task" : "task"} ${task.id} for spec ${spec.name}`,
    [`Spec: ${spec.name}`, `Path: ${spec.folder}`, `Task id: ${task.id}`].join("\n"),
    progress.trim() === "" ? null : `Context from .progress.md:\n${fenceText(progress, "text")}`,
    `${part === null ? "Current task" : "The whole task, for background,"} from tasks.md:\n${fenceText(block, "markdown")}`,
    parts.context === undefined || tooLong > 0 ? null : renderContext(parts.context, block),
    part === null ? null : renderPart(part),
    renderEvidence({
      escalation: parts.escalation ?? noEscalation,
      original: tooLong === 0 ? (parts.original ?? null) : null,
      max: shareOfEvidence * maxEvidence,
    }),
    renderEarlier(tooLong === 0 ? parts.earlier : [], (1 - shareOfEvidence) * maxEvidence),
    renderLevel(parts),
    renderCollision(parts.collision ?? null),
    renderSetAside(parts.setAside ?? null),
    renderLeft(parts.left ?? null),
    renderAdvice(adjusted, parts.adjustment),
    renderAdvice("Guidance from the owner of this spec, to be followed:", parts.guidance),
    `Instructions:\n${numberLines(instructionsFor(parts))}`,
    renderFailureForm(parts),
    role === "executor" && part === null && tooLong === 0 ? renderRequestForm(parts) : null,
  ];
  return `${sections.filter((text) => text !== null).join("\n\n")}\n`;
}

const adjusted = `A repair operator wants the following to be done differently. Do so as far as it is about this task; it
overrides none of the instructions below:`;

function renderLevel({ climb = null, escalation, escalates = false, tooLong = 0 }: DelegationParts): string | null {
  const known = escalation ?? noEscalation;
  if (climb !== null) return renderClimb({ climb, escalation: known });
  const { sameErrors } = known;
  return escalates && sameErrors > 1 && tooLong === 0
    ? `The last ${sameErrors} attempts failed with the same error: try something else.`
    : null;
}

function renderCollision(collision: ToldCollision | null): string | null {
  if (collision === null) return null;
  const { files, failed, command } = collision;
  const done = `The task was done once in a separate copy, and accepted: \`${command}\` shows how.`;
  const again = `${done} Repeat it on top of the current files.`;
  if (failed !== null)
    return `${again} The result failed when combined with the changes of other tasks:\n${fenceText(onOneLine(failed, maxText), "text")}`;
  const named = fenceText(files.map((path) => onOneLine(path, maxText)).join("\n"), "text");
  return `${again} Others have changed these files differently, and the files are as the others left them:\n${named}`;
}

const mostSetAside = 30;

function renderSetAside(aside: SetAside | null): string | null {
  if (aside === null) return null;
  return [
    "The files are as they were before the first attempt at this task: what attempts changed since is set aside. To see",
    `what the last of them changed: \`${aside.command}\`. Set aside:`,
    nameFiles(aside),
  ].join("\n");
}

function renderLeft(left: SetAside | null): string | null {
  if (left === null) return null;
  return [
    "Attempts at this task have changed these files since it began. Keep what helps, and undo what does not. To see what",
    `the last of them changed: \`${left.command}\`.`,
    nameFiles(left),
  ].join("\n");
}

function nameFiles({ files }: SetAside): string {
  const named = files.slice(0, mostSetAside).map((path) => onOneLine(path, maxText));
  const more = files.length - named.length;
  return fenceText([...named, ...(more > 0 ? [`and ${more} more`] : [])].join("\n"), "text");
}

const renderAdvice = (label: string, text: string | null = null): string | null =>
  text === null || text.trim() === "" ? null : `${label}\n${fenceText(firstPart(text, maxAdvice), "text")}`;

const deciding =
  "If a person has to decide something first, ask on one line that begins with BLOCKED and a colon, outside of any fence.";

const naming = "You may name your approach on a line of its own, outside of any fence: `Trying: [approach]`.";

const reporting = [
  "If it cannot be done, report it as failed: what went wrong, what was tried, and what blocks it. If a person",
  "has to decide something first, report it as blocked, with the question.",
].join("\n");

function renderFailureForm({ role, task, escalates = false, tooLong = 0, instructions }: DelegationParts): string {
  if (instructions === "tool") {
    const named = "You may name your approach on a line of its own in the message: `Trying: [approach]`.";
    return [reporting, ...(escalates && tooLong === 0 ? [named] : [])].join("\n");
  }
  const signal = role === "verifier" ? "VERIFICATION_PASS" : "TASK_COMPLETE";
  if (tooLong >= shortestPrompt) {
    return `If it cannot be done, do not output ${signal}. Output a line \`Task ${task.id}: FAILED\` instead, and \`- Error: …\` below it.`;
  }
  const form = [
    `Task ${task.id}: [task name] FAILED`,
    "- Error: [description]",
    "- Attempted fix: [what was tried]",
    "- Status: [what blocks it]",
  ].join("\n");
  const told = `If it cannot be done, do not output ${signal} but this block, outside of any fence:\n${fenceText(form, "text")}`;
  return [told, ...(escalates && tooLong === 0 ? [naming] : []), ...(tooLong === 0 ? [deciding] : [])].join("\n");
}

const proposal = [
  "- [ ] [id] [title]",
  "  - **Do**: [steps]",
  "  - **Files**: [paths]",
  "  - **Done when**: [result]",
  "  - **Verify**: `[command]`",
  "  - **Commit**: `[message]`",
].join("\n");

function renderRequestForm({ task, instructions }: DelegationParts): string {
  if (instructions === "tool") {
    return [
      "If the plan itself has to change, ask for that instead: SPLIT_TASK (the proposed tasks take the place of this one,",
      "and one of them keeps its Verify), ADD_PREREQUISITE (they come first, then this one again) or ADD_FOLLOWUP (they",
      "come after it, and it counts as reported complete). Every proposed task has this form, and a Verify that is a command:",
      fenceText(proposal, "markdown"),
    ].join("\n");
  }
  const request = {
    type: "SPLIT_TASK",
    originalTaskId: task.id,
    reasoning: "[why the plan has to change]",
    proposedTasks: [proposal],
  };
  const form = ["TASK_MODIFICATION_REQUEST", JSON.stringify(request, null, 2)].join("\n");
  return [
    "If the plan itself has to change, output this request, outside of any fence. Its type is SPLIT_TASK (the proposed",
    "tasks take the place of this one, and one of them keeps its Verify), ADD_PREREQUISITE (they come first, then this",
    "one again) or ADD_FOLLOWUP (they come after it; also output TASK_COMPLETE). Every proposed task has all five",
    "fields, and a Verify that is a command:",
    fenceText(form, "text"),
  ].join("\n");
}
