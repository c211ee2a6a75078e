import { describe, expect, it } from "vitest";
import { run } from "../support/cli-here.ts";
import { beginRepository, withoutGitConfig, write } from "../support/git-project.ts";
import { type Project, projectWith } from "../support/project.ts";

withoutGitConfig();

const plan = "- [ ] 1.1 A\n  - **Files**: a.txt\n  - **Verify**: `sh test/a.test.sh`\n";

function project(script: string): Project {
  const made = projectWith({ plan, script: `${script}; made` });
  write(made, "a.txt", "first\n");
  write(made, "test/a.test.sh", "set -e\n[ ! -f test/skip ]\ngrep -q good a.txt\n");
  beginRepository(made);
  return made;
}

describe.concurrent("changes that git does not show", () => {
  it.each([
    ["without the repository", "mv .git ../hidden 2> /dev/null"],
    ["by a rule beside the files", "echo test/a.test.sh > .git/info/exclude; git rm -q --cached test/a.test.sh"],
    ["by a mark of the index", "git update-index --assume-unchanged test/a.test.sh"],
  ])("are rejected %s", async (_, hidden) => {
    const made = project(`${hidden}; echo true > test/a.test.sh`);
    const ended = await run(made, "--recovery-mode");
    expect([ended.exitCode, ended.out.includes("rejected 1.1 by guard")]).toEqual([3, true]);
  });
});
