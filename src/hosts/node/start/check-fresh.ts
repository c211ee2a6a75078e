import { findRepository } from "../../../adapters/git/find-repository.ts";
import { InputError } from "../../../model/errors.ts";
import type { Policy } from "../../../model/policy.ts";

/**
 * Check that files can be restored before attempts, which needs a git repository.
 *
 * @param workspace Absolute folder.
 * @throws {InputError} `repository-missing`
 */
export function checkFresh(workspace: string, { fresh }: Pick<Policy, "fresh">): void {
  if (fresh !== "always" || findRepository(workspace) !== null) return;
  throw new InputError(
    `Cannot restore files before attempts in \`${workspace}\`, expected a git repository around it`,
    {
      code: "repository-missing",
      ways: [
        {
          say: "Create one with git init, or let attempts continue with the current files",
          words: ["--fresh", "never"],
        },
      ],
    },
  );
}
