// Cases for each tool: the behaviour of the model service, and the call of the run. Expected results are in
// `expected.mjs`.
const task = (id, script, file) =>
  [
    `- [ ] ${id} Write ${file}`,
    `  - **Do**: ${script}`,
    `  - **Files**: \`${file}\``,
    `  - **Done when**: ${file} is there`,
    `  - **Verify**: \`test -f ${file}\`\n`,
  ].join("\n");
const plan = (...tasks) => `# Tasks: demo\n\n${tasks.join("\n")}`;
const one = plan(task("1.1", "MODEL-RUN[echo a > a.txt]", "a.txt"));
const two = plan(task("1.1", "MODEL-RUN[echo a > a.txt]", "a.txt"), task("1.2", "MODEL-WRITE[b.txt=b]", "b.txt"));
const editing = "MODEL-WRITE[a.txt=a] MODEL-RUN[git add a.txt] MODEL-RUN[git commit -qm written]";
const failing = "MODEL-FAIL-ONCE[1.1|a.txt is missing MODEL-RUN{echo a > a.txt}]";
const staying = "MODEL-RUN[(setsid sleep 4711 &) ; sleep 4712 & sleep 4713]";
const committing = "MODEL-RUN[echo a > a.txt] MODEL-RUN[git add a.txt] MODEL-RUN[git commit -qm written]";

const faulty = (name, rest) => ({
  ...{ name, plan: one, permissions: "full", seconds: 60, isServiceAtFault: true },
  ...rest,
});

/**
 * `permissions`: permission level; by default, the preset's own command. `seconds`: time limit of one delegation.
 * `fault`: fault of every model call. `lifts`: the fault ends after the first delegation. `url`: replaces the address
 * of the service. `fixes`: expected number of fix tasks. `commit`: expected message of a commit.
 */
export const cases = [
  { name: "own command", plan: two, seconds: 180 },
  {
    name: "edit",
    plan: plan(task("1.1", editing, "a.txt"), task("1.2", "MODEL-WRITE[b.txt=b]", "b.txt")),
    ...{ permissions: "edit", seconds: 180, commit: "written" },
  },
  { name: "full", plan: two, permissions: "full", seconds: 180 },
  {
    name: "fail, then fix",
    plan: plan(task("1.1", failing, "a.txt"), task("1.2", "MODEL-RUN[echo b > b.txt]", "b.txt")),
    ...{ permissions: "full", seconds: 180, fixes: 1 },
  },
  {
    name: "commit",
    plan: plan(task("1.1", committing, "a.txt")),
    ...{ permissions: "full", seconds: 180, commit: "written" },
  },
  faulty("429", { fault: "rate-limit" }),
  faulty("usage limit", { fault: "usage-limit" }),
  faulty("401", { fault: "unauthorized" }),
  faulty("no key", { hasKey: false }),
  faulty("403", { fault: "forbidden" }),
  faulty("no credit", { fault: "billing" }),
  faulty("500", { fault: "server-error" }),
  faulty("503", { fault: "unavailable" }),
  faulty("529", { fault: "overloaded" }),
  faulty("overloaded in the answer", { fault: "error-in-answer", lifts: true }),
  faulty("cut answer", { fault: "cut", lifts: true }),
  faulty("refused", { url: "http://127.0.0.2:9" }),
  faulty("gateway down", { url: "http://127.0.0.1:9" }),
  faulty("no such host", { url: "https://api.no-such-host.example" }),
  faulty("prompt too long", { fault: "context", lifts: true }),
  {
    name: "time limit",
    plan: plan(task("1.1", staying, "a.txt")),
    ...{ permissions: "full", seconds: 30, isTaskAtFault: true },
  },
];
