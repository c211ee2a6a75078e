import { InputError } from "../../model/errors.ts";
import { callGit, reasonOf } from "./call-git.ts";

/**
 * The top of the working tree that holds a workspace and its spec, according to git itself.
 *
 * @param workspace Absolute folder.
 * @param spec Absolute folder of the spec.
 * @param isKept Whether it is asked for by `requireCommit` of a file or of an earlier start, which no option takes back.
 * @throws {InputError} `repository-missing`: there is none, the spec lies in another, or git cannot be started.
 */
export async function repositoryOf(workspace: string, spec: string, isKept = false): Promise<string> {
  const [top, topOfSpec] = [await topOf(workspace, isKept), await topOf(spec, isKept)];
  if (topOfSpec === top) return top;
  const message = `Cannot commit \`${spec}\`, expected a folder of the repository \`${top}\``;
  throw missing(message, "Move the spec into that repository", isKept);
}

/**
 * Check that git knows in whose name it commits in a folder.
 *
 * @throws {InputError} `identity-missing`
 */
export async function checkIdentity(folder: string): Promise<void> {
  for (const identity of ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"]) {
    const end = await callGit(["var", identity], { cwd: folder });
    if (end?.exitCode === 0) continue;
    throw new InputError(`Cannot commit in \`${folder}\`, expected a name and an address: ${reasonOf(end)}`, {
      code: "identity-missing",
      ways: [
        {
          say: "Set them with git config user.name and git config user.email, or go on without commits",
          words: ["--commit", "off"],
        },
      ],
    });
  }
}

async function topOf(folder: string, isKept: boolean): Promise<string> {
  const end = await callGit(["rev-parse", "--show-toplevel"], { cwd: folder });
  if (end === null) {
    throw missing(`Cannot start \`git\` in \`${folder}\`, expected it on the PATH`, "Install git", isKept);
  }
  if (end.exitCode === 0) return end.stdout.slice(0, -1);
  const message = `Cannot find the repository around \`${folder}\`, expected one with a working tree: ${reasonOf(end)}`;
  throw missing(message, "Begin one with git init", isKept);
}

function missing(message: string, mend: string, isKept: boolean): InputError {
  const first = isKept ? "set requireCommit to false in fixpoint.config.json, then " : "";
  return new InputError(message, {
    code: "repository-missing",
    ways: [
      {
        say: `${mend}, or ${first}go on without commits`,
        words: ["--commit", "off"],
        without: ["--require-commit"],
      },
    ],
  });
}
