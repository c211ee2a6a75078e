// Serves the workflow for the tasks of fixpoint's host contract, in a process that can be killed.
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as restate from "@restatedev/restate-sdk";
import { readPolicy } from "fixpoint";
import { fileStore, shell, systemClock } from "fixpoint/node";
import { runSpec, specWorkflow } from "./workflow.mjs";

const linesOf = (path) => (existsSync(path) ? readFileSync(path, "utf8").split("\n") : []);

function open({ task, folder }, say) {
  const plan = join(folder, "tasks.md");
  const executor = async ({ key, taskId, attempt, prompt }) => {
    appendFileSync(join(folder, "delegated"), `${JSON.stringify({ key, prompt })}\n`);
    for (const event of task.words?.[key] ?? []) void say(event);
    const { edits = [], reply = "TASK_COMPLETE" } = task.acts?.[taskId]?.[attempt - 1] ?? {};
    const text = edits.reduce((before, [from, to]) => before.replace(from, () => to), readFileSync(plan, "utf8"));
    if (edits.length > 0) writeFileSync(plan, text);
    return reply;
  };
  const ports = {
    ...{ executors: { executor }, workspace: folder, spec: folder, clock: systemClock },
    documents: fileStore({ folder, dataFolder: join(folder, ".fixpoint") }),
    shell: shell({ workspace: folder }),
  };
  const names = () => readdirSync(folder).filter((name) => name.endsWith(".md"));
  return {
    ports,
    policy: readPolicy(task.policy),
    save: () => Object.fromEntries(names().map((name) => [name, readFileSync(join(folder, name), "utf8")])),
    restore: (documents) => {
      for (const name of names()) if (documents[name] === undefined) rmSync(join(folder, name));
      for (const [name, text] of Object.entries(documents)) writeFileSync(join(folder, name), text);
    },
  };
}

const deadly = (ctx, deaths) => ({
  run: (name, step) =>
    ctx.run(name, async () => {
      const made = await step();
      const key = made.records?.find(({ type }) => type === "answered")?.key;
      if (key === undefined || linesOf(deaths).includes(key)) return made;
      appendFileSync(deaths, `${key}\n`);
      process.kill(process.pid, "SIGKILL");
      return await new Promise(() => {});
    }),
});

const service = specWorkflow(open);
const killed = restate.workflow({
  ...{ name: "killed", options: service.options },
  handlers: {
    run: (ctx, input) => runSpec(deadly(ctx, join(input.folder, "deaths")), (say) => open(input, say)),
  },
});
await restate.serve({ services: [service, killed], port: Number(process.argv[2]) });
