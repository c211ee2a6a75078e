import type { SimulatedExecutor } from "../../src/hosts/simulation/simulation.ts";
import type { Reply } from "../../src/model/reply.ts";
import type { Delegation, Executor, Executors } from "../../src/ports/executor.ts";
import { direct, review } from "./answer-role.ts";
import { behave } from "./behave.ts";
import type { Life } from "./life.ts";
import { type Processes, watchWork } from "./processes.ts";
import { behaviours } from "./rates.ts";
import { finish, type Scene, sceneOf } from "./scene.ts";
import type { World } from "./world.ts";

export function simulatedExecutors(world: World, life: Life, processes: Processes): Executors {
  const { executors = {} } = world.options;
  const random = world.chanceOf("casting").fork("roles");
  const { executor, verifier = executor, reviewer, operator } = executors;
  const own = (choice: SimulatedExecutor | undefined): Executor => engage(world, life, processes, choice);
  const isReviewed = reviewer !== undefined || (executor === undefined && random.chance(0.3));
  const stand = own(executor);
  const chain = executor === undefined && random.chance(0.2) ? ([stand, own(undefined)] as const) : stand;
  return {
    executor: chain,
    verifier: own(verifier),
    ...(isReviewed && { reviewer: own(reviewer) }),
    ...((operator !== undefined || executor === undefined) && { operator: own(operator) }),
  };
}

function engage(world: World, life: Life, processes: Processes, choice: SimulatedExecutor | undefined): Executor {
  return (delegation, signal) =>
    life.through(`the delegation of ${delegation.key}`, () => {
      watchWork(world, processes, delegation);
      const repeat = processes.begun(delegation.key);
      const chance = `${delegation.key}${world.options.compare === true ? "" : `/${repeat}`}`;
      const own = new AbortController();
      signal.addEventListener("abort", () => {
        if (!life.isDead()) own.abort(signal.reason);
      });
      if (signal.aborted) own.abort(signal.reason);
      return processes.begin(delegation, own.signal, (process) => {
        const scene = sceneOf(world, process, world.chanceOf("executors").fork(chance));
        return choice === undefined ? perform(scene) : actOut(choice, scene, own.signal);
      });
    });
}

function perform(scene: Scene): Promise<Reply | string> {
  const { world, delegation, random } = scene;
  if (delegation.role === "reviewer") return review(scene);
  if (delegation.role === "operator") return direct(scene);
  const weights = Object.fromEntries(behaviours.map((name) => [name, world.rates[name]] as const));
  const behaviour = random.among(weights as Readonly<Record<(typeof behaviours)[number], number>>);
  world.count(behaviour);
  world.tell(`${delegation.key} is begun and ${behaviour}`);
  return behave[behaviour](scene);
}

function actOut(choice: SimulatedExecutor, scene: Scene, signal: AbortSignal): Promise<Reply | string> {
  const { world, process, delegation, random } = scene;
  world.tell(`${delegation.key} is begun`);
  const tasks = {
    get text() {
      return world.store.tasks.text;
    },
    set text(text) {
      if (process.isAlive()) world.store.tasks.text = text;
    },
  };
  return choice(delegation as Delegation, signal, {
    tasks,
    elapsedMs: world.clock.elapsedMs,
    wait: process.work,
    finish: (command = scene.command) => process.isAlive() && finish({ ...scene, command }),
    random: random.next,
  });
}
