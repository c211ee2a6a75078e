import { InputError } from "../../model/errors.ts";
import { callGit, reasonOf } from "./call-git.ts";

/**
 * The top of the working tree that holds a workspace and its spec, according to git itself.
 *
 * @param workspace Absolute folder.
 * @param spec Absolute folder of the spec.
 * @throws {InputError} `repository-missing`: there is none, the spec lies in another, or git cannot be started.
 */
export async function repositoryOf(workspace: string, spec: string): Promise<string> {
  const [top, topOfSpec] = [await topOf(workspace), await topOf(spec)];
  if (topOfSpec === top) return top;
  throw missing(
    `Cannot commit \`${spec}\`, expected a folder of the repository \`${top}\``,
    "Move the spec into that repository, or go on without commits",
  );
}

async function topOf(folder: string): Promise<string> {
  const end = await callGit(["rev-parse", "--show-toplevel"], { cwd: folder });
  if (end === null) {
    throw missing(
      `Cannot start \`git\` in \`${folder}\`, expected it on the PATH`,
      "Install git, or go on without commits",
    );
  }
  if (end.exitCode === 0) return end.stdout.slice(0, -1);
  throw missing(`Cannot find the repository around \`${folder}\`, expected one with a working tree: ${reasonOf(end)}`);
}

const missing = (message: string, say = "Begin one with git init, or go on without commits"): InputError =>
  new InputError(message, {
    code: "repository-missing",
    ways: [{ say, words: ["--commit", "off"], without: ["--require-commit"] }],
  });
