export interface Row {
  readonly name: string;
  readonly plan?: string;
  readonly work?: string;
  readonly says: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Exit code: `done` 0, `asked` 3, `refused` 2 or 3 without a delegation. */
  readonly end: "done" | "asked" | "refused" | "any";
  readonly perfect?: number;
  readonly isUndone?: true;
  readonly never?: RegExp;
  readonly prints?: RegExp;
}

const work = "touch page.html";
const complete = "TASK_COMPLETE";

const signals = [
  ...[
    `**${complete}**`,
    `\`${complete}\``,
    `${complete}.`,
    `✅ ${complete}`,
    `- ${complete}`,
    `<promise>${complete}</promise>`,
  ],
  ...[
    `# ${complete}`,
    `__${complete}__`,
    `*${complete}*`,
    `**${complete}.**`,
    `- **${complete}**`,
    `✅ **${complete}**`,
  ],
  ...[`* ${complete}`, `### ✅ ${complete}`],
];

const unchecked = "- [ ] 1.1 Add the page\n  - **Do**: add page.html\n";
const green = "- [ ] 1.1 Add the page\n  - **Do**: add page.html\n  - **Verify**: `test -f plan.txt`\n";
const greenFiles = { "plan.txt": "one page\n" };

const forms: readonly Row[] = signals.flatMap((signal) => [
  { name: `signal ${signal}`, work, says: `All checks are green.\n\n${signal}`, end: "done" },
  { name: `signal ${signal}, no check`, plan: unchecked, work, says: `The page is there.\n\n${signal}`, end: "done" },
]);

const besides = (
  [
    ["forgets the word", "All done! I added page.html and the tests pass."],
    ["says nothing", ""],
    ["asks in place of deciding", "The page is there. Should I also add a style sheet?"],
    ["ends in a fence", "I added:\n\n```html\n<p></p>\n```"],
    ["ends in courtesy", "The page is there.\n\nTell me if I should carry on!"],
    ["says it in prose", `I would now say ${complete}, since the page is there.`],
    ["says it in a quote", `> ${complete}`],
    ["says that it left something", `Left the import undone, the rest is in place.\n${complete}`],
    ["says that a test fails", `The page is there, but the tests still fail.\n${complete}`],
  ] as const
).flatMap(([name, says]): Row[] => [
  { name, work, says, end: "done" },
  { name: `${name}, green before`, plan: green, files: greenFiles, work, says, end: "any" },
  { name: `${name}, no check`, plan: unchecked, work, says, end: "asked" },
]);

const contradictions: readonly Row[] = [
  ["that could not complete", `Orders that could not complete are queued again.\n\n${complete}`],
  ["of uploads", `Uploads that could not complete are now retried.\n\n${complete}`],
  ["of what fails on purpose", `A request without a name fails, as it should.\n\n${complete}`],
].map(([name = "", says = ""]) => ({ name: `no contradiction: ${name}`, plan: unchecked, work, says, end: "done" }));

const two = (first: string): string => `${first}- [ ] 1.2 Add the style\n  - **Verify**: \`test -f page.html\`\n`;
const checked = "- [ ] 1.1 Add the page\n  - **Verify**: `test -f page.html`\n";
const ticksAll = "sed -i 's/- \\[ \\]/- [x]/' specs/s/tasks.md";
const verify = (command: string): string => `- [ ] 1.1 Add the page\n  - **Verify**: ${command}\n`;
const halfCheck = 'ls *.half > /dev/null 2>&1 && { echo "FAIL b: half written"; exit 1; }\nexit 0\n';

const reports: readonly Row[] = [
  {
    name: "ticks another box",
    plan: two(checked),
    work: `${work}; ${ticksAll}`,
    says: complete,
    end: "any",
    perfect: 2,
  },
  {
    name: "A2: ends in a fence, fails",
    says: "The compiler stops here:\n\n```\nmain.c:4: unknown type\n```",
    ...{ end: "any", isUndone: true, never: /Fix: (?:\\?`){3}/ },
  },
  {
    name: "A2: ends in courtesy, fails",
    says: "The compiler stops at main.c.\n\nTell me if I should carry on!",
    ...{ end: "any", isUndone: true, never: /Fix: Tell me/ },
  },
  { name: "A5: says nothing", work, says: "", end: "done" },
  {
    name: "B1b: one of a batch is half done",
    plan: "- [ ] 1.1 [P] Quick\n  - **Verify**: `sh check.sh`\n- [ ] 1.2 [P] Slow\n  - **Verify**: `sh check.sh`\n",
    files: { "check.sh": halfCheck },
    work: 'case "$prompt" in *"1.2 "*"Slow"*) touch b.half; sleep 2; rm -f b.half;; *) sleep 0.3;; esac; date +%N > "out-$$"',
    says: complete,
    ...{ end: "done", perfect: 2 },
  },
  { name: "C1: no such program", says: "", flags: ["--exec", "agnt -p"], end: "refused" },
  { name: "C1: unknown option", work: "echo 'error: unknown option --modle' >&2; exit 2", says: "", end: "asked" },
  {
    name: "C2: a sentence, a make target",
    plan: verify("make check passes"),
    files: { Makefile: "check:\n\ttrue\n" },
    says: complete,
    end: "refused",
  },
  { name: "C2: a sentence", plan: verify("sort order is stable"), work, says: complete, end: "refused" },
  { name: "C3: a prompt", plan: verify("`bash: ls .`"), says: complete, end: "refused" },
  { name: "C3: a dollar", plan: verify("`$ ls .`"), says: complete, end: "refused" },
  {
    name: "C5: a variable that is withheld",
    plan: verify('`sh -c \'test -n "$PAY_API_KEY" || { echo "PAY_API_KEY is not set"; exit 1; }\'`'),
    ...{ work, says: complete, env: { PAY_API_KEY: "k" }, end: "asked", prints: /--pass-env PAY_API_KEY/ },
  },
  {
    name: "C8: not logged in",
    work: "echo 'Not logged in · Please run /login'; exit 1",
    says: "",
    ...{ flags: ["--executor", "claude"], end: "asked" },
  },
  {
    name: "D1: works on in the background",
    work: "(sleep 3; touch page.html) &",
    says: "The build runs in the background, I go on when it is done.",
    ...{ end: "any", isUndone: true, never: /Fix: The build runs/ },
  },
  {
    name: "V1: a red final check",
    plan: "- [ ] 1.1 Add the page\n",
    work: 'touch page.html; case "$prompt" in *Fix:*) touch done.txt;; esac',
    says: complete,
    ...{ flags: ["--final-verify", "test -f done.txt"], end: "done", perfect: 2, isUndone: true },
  },
  { name: "V3: exits with 1 at once", work: "exit 1", says: "", end: "asked" },
  {
    name: "N1: a fix that changes nothing",
    plan: checked,
    says: `I could not find the page.\n\nTask 1.1 FAILED`,
    ...{ end: "any", isUndone: true, never: /the original failure is gone/ },
  },
  { name: "BLOCKED", plan: checked, says: "BLOCKED: test/page: it contradicts the task", end: "asked" },
];

export const rows: readonly Row[] = [...forms, ...besides, ...contradictions, ...reports];
export const planOf = ({ plan }: Row): string => `# Tasks\n\n## Phase 1\n\n${plan ?? checked}`;
