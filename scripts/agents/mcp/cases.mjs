// Cases in which a tool runs the loop itself, with fixpoint as MCP server, and their expected results.
import { stepIn } from "../model-service/work-off.mjs";

const letters = [..."abcdefghijkl"];

function task(letter, { script, verify, mark = "" } = {}) {
  const file = `${letter}.txt`;
  return [
    `- [ ] 1.${letters.indexOf(letter) + 1} ${mark}Write ${file}`,
    `  - **Do**: ${script ?? `MODEL-RUN[echo ${letter} > ${file}]`}`,
    `  - **Files**: \`${file}\``,
    `  - **Done when**: ${file} is there`,
    `  - **Verify**: \`${verify ?? `test -f ${file}`}\`\n`,
  ].join("\n");
}
const plan = (...tasks) => `# Tasks: demo\n\n${tasks.join("\n")}`;

const twelve = plan(
  ...letters.map((letter) => {
    if (letter === "f") return task(letter, { script: "MODEL-RUN[true]", verify: "sh verify-f.sh" });
    if (letter === "i" || letter === "j") return task(letter, { mark: "[P] " });
    return task(letter, letter === "b" ? { script: "MODEL-WRITE[b.txt=b]" } : {});
  }),
);
const verifyF = 'test -f f.txt && exit 0\necho "f.txt is missing: MODEL-RUN{echo f > f.txt}"\nexit 1\n';

const demo = { plan: twelve, files: { "verify-f.sh": verifyF } };

/** Takes thirteen attempts for twelve tasks: the attempt at the fix task also proves the sixth task. */
const recovering = { ...demo, options: ["--recovery-mode"] };
const limitedTo = (attempts) => ({
  ...demo,
  options: [...recovering.options, "--max-global-iterations", `${attempts}`],
});

const longText = Array.from(
  { length: 200 },
  (_, index) =>
    `    ${index + 1}. if (a < b && c > d) say("<p class='x'>&amp; &lt; \\n \\" \`$HOME\` é € 🙂</p>"); of many lines`,
).join("\n");
const longTask = task("a", { script: `MODEL-RUN[echo a > a.txt]\n${longText}` });

const results = (transcript) => transcript.at(-1)?.results ?? [];

/**
 * `isPasted`: a shell executes the output of `install --print`. `expected`: outcome of the run and number of attempts.
 * `isReminded`: the agent is reminded once of a missing report. `findProblem`: returns a problem in the model's input
 * as one line, or null. `cannot`: the reason why a tool does not support the case.
 */
export const mcpCases = [
  { name: "one of 12 fixed", ...recovering, expected: "complete, 13 attempts" },
  { name: "one of 12 tried again", ...demo, expected: "complete, 13 attempts" },
  {
    ...{ name: "first use, within 60 s", plan: plan(task("a"), task("b"), task("c")) },
    ...{ isPasted: true, seconds: 60, expected: "complete, 3 attempts" },
  },
  {
    ...{ name: "never reports", plan: plan(task("a", { script: "MODEL-SILENT[It is done.]" })) },
    ...{ expected: "waiting, 1 attempt", isReminded: true },
    cannot: {
      opencode: "it has no hook for its end, and its run ends when its model says nothing more",
      codex: "it calls the hooks of a project once a person has trusted them in its own dialog",
    },
  },
  { name: "at most 13 attempts", ...limitedTo(13), expected: "complete, 13 attempts" },
  { name: "at most 12 attempts", ...limitedTo(12), expected: "limit, 12 attempts" },
  {
    name: "claims and does nothing",
    plan: plan(task("a", { script: "write it" })),
    ...{ options: ["--recovery-mode"], expected: "limit, 5 attempts" },
  },
  {
    name: "a task of 20 KB",
    ...{ plan: plan(longTask), expected: "complete, 1 attempt" },
    findProblem: (transcript) => {
      const prompts = results(transcript).flatMap((text) => stepIn(text)?.tasks?.map(({ prompt }) => prompt) ?? []);
      return prompts.some((prompt) => prompt.includes(longTask.trim())) ? null : "the task did not arrive unchanged";
    },
    cannot: { copilot: "it puts results of more than 20 KB into a file, and tells its model the path" },
  },
  {
    name: "answers its own question",
    plan: plan(task("a", { script: "MODEL-BLOCKED[Which letter?]" }), task("b")),
    expected: "gate, 1 attempt",
    findProblem: (transcript) => {
      const refused = results(transcript).filter((text) => text.includes("expected a person"));
      return refused.length === 2 ? null : `${refused.length} of 2 answers were refused`;
    },
  },
  {
    name: "a Verify of 50 s",
    plan: plan(task("a", { verify: "sleep 50 && test -f a.txt" }), task("b")),
    expected: "complete, 2 attempts",
    findProblem: (transcript) =>
      results(transcript).some((text) => stepIn(text)?.kind === "checking")
        ? null
        : "no call was answered during the Verify",
  },
];
