import { relative, resolve } from "node:path";
import { shellWord } from "../../../model/command-line.ts";
import { FixpointError, InputError } from "../../../model/errors.ts";
import { someOf } from "../../../model/text.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import type { InstalledTool } from "../../node/doctor/check-tools.ts";
import { toolNames } from "../../node/executors/known-tools.ts";
import { findSpec, programIn } from "../../node/find-spec.ts";
import { type FoundPlan, findPlans, planIn } from "../../node/setup/find-plans.ts";
import type { Terminal } from "../cli-command.ts";

/** Terminal to choose at; without `ask` no one can choose. */
export type Chooser = Pick<Terminal, "ask" | "out">;

const mostListed = 20;

/**
 * Let a person choose one of several items. Throws `refusal` if no one can choose, or the answer is not in the list.
 */
async function chooseOne<Item>(
  items: readonly Item[],
  {
    title,
    render,
    refusal,
  }: { readonly title: string; readonly render: (item: Item) => string; readonly refusal: InputError },
  { ask, out }: Chooser,
): Promise<Item> {
  const [only, ...others] = items;
  if (only !== undefined && others.length === 0) return only;
  if (ask === undefined) throw refusal;
  const lines = items.slice(0, mostListed).map((item, at) => `  ${at + 1}  ${escapeText(render(item))}\n`);
  out(`${title}\n${lines.join("")}`);
  const chosen = items[Number((await ask(`Which one (1 to ${lines.length})? `)).trim()) - 1];
  if (chosen === undefined) throw refusal;
  return chosen;
}

const placeOf = ({ folder, sources: [source, ...others] }: FoundPlan, workspace: string): string =>
  relative(workspace, source === undefined || others.length > 0 ? folder : source) || ".";

/**
 * Choose the plan of a workspace, or of the named folder.
 *
 * @throws {InputError} `plan-missing`, `plan-not-named`, and the errors of finding a spec
 */
export async function choosePlan(given: string | undefined, workspace: string, chooser: Chooser): Promise<FoundPlan> {
  const spec = given === undefined ? null : attempt(() => findSpec(given, workspace, "init"), "tasks-missing");
  if (spec !== null) return planIn(spec);
  const top = resolve(workspace, given ?? ".");
  const plans = findPlans(top, workspace);
  if (plans.length === 0) {
    throw new InputError(`Cannot find a plan with open tasks below \`${top}\``, {
      code: "plan-missing",
      hint: `Write one, such as specs/my-feature/tasks.md with a line \`- [ ] 1.1 What to do\`, or name a plan with another file name: ${programIn()} init --from <plan>`,
    });
  }
  const active = given === undefined ? attempt(() => findSpec(undefined, workspace), "spec-not-named") : null;
  const current = plans.find(({ folder }) => folder === active?.folder);
  if (current !== undefined) return current;
  const render = (plan: FoundPlan): string => placeOf(plan, workspace);
  return await chooseOne(
    plans,
    {
      title: `There are ${plans.length} plans with open tasks:`,
      render: (plan) => `${render(plan)} (${plan.open} open)`,
      refusal: new InputError(`Cannot choose among ${plans.length} plans: ${someOf(plans.map(render), mostListed)}`, {
        code: "plan-not-named",
        hint: `Name one: ${programIn()} init ${plans[0] === undefined ? "" : wordFor(plans[0], workspace)}`,
      }),
    },
    chooser,
  );
}

/** Arguments that name a plan: its folder, or `--from` with its source. */
const wordFor = (plan: FoundPlan, workspace: string): string =>
  plan.sources.length === 1 && !plan.sources[0]?.startsWith(`${plan.folder}/`)
    ? `--from ${shellWord(placeOf(plan, workspace))}`
    : shellWord(relative(workspace, plan.folder) || ".");

function attempt<Found>(find: () => Found, code: string): Found | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof FixpointError && error.code === code) return null;
    throw error;
  }
}

/**
 * Choose the agent for the tasks among the agents that are ready; if none is ready, among the installed agents.
 *
 * @throws {InputError} `agent-missing`, `agent-not-named`
 */
export async function chooseAgent(installed: readonly InstalledTool[], chooser: Chooser): Promise<InstalledTool> {
  const ready = installed.filter(({ lacks }) => lacks === null);
  const agents = ready.length > 0 ? ready : installed;
  if (agents.length === 0) {
    throw new InputError(`Cannot find an agent's command line, expected one of ${toolNames.join(", ")} on the PATH`, {
      code: "agent-missing",
      hint: `Install one of them, or name any other program: ${programIn()} init --exec ./agent.sh`,
    });
  }
  const names = agents.map(({ tool }) => tool);
  const others = installed.flatMap((tool) => (agents.includes(tool) ? [] : [`Not ready: ${tool.lacks}`]));
  return await chooseOne(
    agents,
    {
      title: `There are ${agents.length} agents that ${ready.length > 0 ? "seem logged in" : "do not seem logged in"}:`,
      render: ({ name }) => name,
      refusal: new InputError(`Cannot choose among ${agents.length} agents: ${names.join(", ")}`, {
        code: "agent-not-named",
        hint: [`Name one: ${programIn()} init --executor ${names[0]}`, ...others].join("\n"),
      }),
    },
    chooser,
  );
}
