// Measures each part of a resume once, in a new process. Prints the milliseconds as one line of JSON.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

const { source, spec } = JSON.parse(process.argv[2]);
const load = (path) => import(`${source}/${path}`);
const { readJournal } = await load("adapters/journal/read-journal.js");
const { openPlan } = await load("markdown/document/plan-document.js");
const { verifyCommands } = await load("hosts/node/consent/verify-commands.js");
const { resume } = await load("run/resume.js");
const { replayRecords } = await load("run/previous-start.js");
const { openSession } = await load("runtime/session.js");

const taken = {};
const time = (part, work) => {
  const start = process.cpuUsage();
  const done = work();
  const after = (result) => {
    const { user, system } = process.cpuUsage(start);
    taken[part] = (user + system) / 1000;
    return result;
  };
  return done instanceof Promise ? done.then(after) : after(done);
};

const run = join(spec, ".fixpoint", "run-1");
const paths = readdirSync(run).filter((name) => name.endsWith(".ndjson"));
const files = time("the files of the journal read", () => paths.map((name) => readFileSync(join(run, name))));
time("only the checksum of these files", () => files.map((file) => crc32(file)));
time("only the lines of these files parsed as JSON", () => {
  const lines = files.flatMap((file) => file.toString("latin1").split("\n"));
  return lines.map((line) => line !== "" && JSON.parse(line)).length;
});
const reading = time("the journal read and checked", () => readJournal(join(spec, ".fixpoint"), { whole: false }));
const state = time("the records of the journal applied", () => replayRecords(reading));
time("the whole journal read, no snapshot", () => readJournal(join(spec, ".fixpoint")));
const text = readFileSync(join(spec, "tasks.md"), "utf8");
const opened = time("the plan opened", () => openPlan(text));
const { plan } = opened;
time("the tasks and problems of the plan found", () => [plan.tasks, plan.problems]);
time("the hash of the plan's text", () => createHash("sha256").update(text).digest("hex"));
await time("the Verify commands of the plan", () => verifyCommands(plan, { progress: async () => "" }));
const known = time("the plan opened from the run's own copy", () => openPlan(state.plan));
const { policy } = reading.segments[0].header;
time("the resume point found", () =>
  resume({ state, ended: null, policy, answeredUnder: policy }, { known, found: opened, hashOf: (each) => each }),
);
time("the turn replayed by the charts", () => openSession({ policy, state, records: reading.records }));
process.stdout.write(`${JSON.stringify(taken)}\n`);
