import { FixpointError } from "../../../model/errors.ts";
import type { RunStatus } from "../../../model/status.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import type { ListedSpec } from "../../page/page-data.ts";
import { readStatus } from "../reading/read-status.ts";

type SpecState = Omit<ListedSpec, "name">;

/** Read whether the run of a spec works, waits or is over. @param folder Folder of the spec. */
export function specState(folder: string): SpecState {
  try {
    return stateOf(readStatus(folder));
  } catch (error) {
    if (!(error instanceof FixpointError)) throw error;
    return { kind: "bad", state: `Cannot be shown: ${escapeText(error.message)}` };
  }
}

function stateOf({
  completed,
  total,
  run,
  outcome,
  killed,
  running,
  paused,
  handedOut,
  question,
}: RunStatus): SpecState {
  const done = `${completed} of ${total} done`;
  const [asked = ""] = question?.text.split("\n") ?? [];
  if (question !== null) return { kind: "ask", state: `Waiting for you: ${escapeText(asked)}` };
  if (paused) return { kind: "ask", state: `Paused: ${done}` };
  if (running !== null) return { kind: "work", state: `Working: ${done}` };
  if (handedOut.length > 0) return { kind: "work", state: `Handed out: ${done}` };
  if (killed) return { kind: "bad", state: `Killed: ${done}` };
  if (run === 0 || outcome === null) return { kind: "quiet", state: `Not run yet: ${done}` };
  if (outcome === "complete") return { kind: "good", state: `Complete: ${done}` };
  return { kind: outcome === "interrupted" ? "quiet" : "bad", state: `Stopped (${outcome}): ${done}` };
}
