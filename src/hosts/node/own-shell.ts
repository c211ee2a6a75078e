import { redactSecrets } from "../../adapters/redact-secrets.ts";
import { shell } from "../../adapters/shell.ts";
import type { Shell } from "../../ports/shell.ts";
import { verifyMark } from "./end-leftovers.ts";
import { redactResults } from "./redact-replies.ts";
import type { Start } from "./start.ts";

/**
 * A shell for the commands of a run, whose results hold no secrets. It remembers which commands there are: since
 * executors make some, what is looked at before they work has a shell of its own.
 *
 * @param outputs Folder in which outputs are kept.
 * @param checkFence Throws when the spec is held no more; called before a command begins.
 */
export const ownShell = (
  { workspace, spec }: Pick<Start, "workspace" | "spec">,
  outputs: string,
  checkFence: () => void,
): Shell =>
  redactResults(
    shell({
      workspace,
      outputFolder: outputs,
      env: { FIXPOINT_SPEC: spec.folder, FIXPOINT_KEY: verifyMark },
      checkFence,
    }),
    redactSecrets(process.env),
  );
