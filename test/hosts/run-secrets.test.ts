import { describe, expect, it } from "vitest";
import { launch, runWords } from "../support/cli.ts";
import { projectWith } from "../support/project.ts";
import { contentOf, read } from "../support/traces.ts";

const token = ["ghp", "_", "a1B2".repeat(9)].join("");
const plan = `# Tasks

- [ ] 1.1 Deploys
  - **Do**: Deploy
  - **Verify**: \`test -e done || { echo "refused $(cat key)" >&2; exit 1; }\`
`;
const script = `echo ${token} > key
case $FIXPOINT_KEY in
  '1.1#1') broke "key $DEPLOY_PASSWORD was refused, and ${token}" ;;
  '1.1.2#1') touch done; made ;;
  *) made ;;
esac`;

describe("secrets in the output of executors and Verify commands", () => {
  it("do not appear anywhere: plan, log, journal, prompts, terminal", async () => {
    const project = projectWith({ plan, script: `printf '%s' "$prompt" >> prompts; ${script}` });
    const words = runWords(project, "--yes", "--recovery-mode", "--reporter", "json");
    const { exitCode, out, err } = await launch(project.workspace, words, { DEPLOY_PASSWORD: "open-sesame-42" }).end;

    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(read(project.tasks)).toContain("redacted");
    const files = Object.entries(contentOf(project.workspace)).filter(
      // Output files are not redacted, and the script of the executor contains the token.
      ([path]) => !/\/out\/|\/key$|executor\.sh$/.test(path),
    );
    const all = files.map(([, bytes]) => Buffer.from(bytes, "base64").toString()).concat(out, err);
    expect(all.filter((text) => text.includes(token) || text.includes("open-sesame"))).toEqual([]);
  });
});
