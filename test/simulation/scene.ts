import { readVerify } from "../../src/markdown/tasks/read-verify.ts";
import { progressName } from "../../src/model/file-names.ts";
import type { Random } from "../../src/model/random.ts";
import { roles } from "../../src/model/role.ts";
import { plannedTask, type Task } from "../../src/model/task.ts";
import type { Delegation } from "../../src/ports/executor.ts";
import type { Process } from "./processes.ts";
import type { World } from "./world.ts";

export interface Scene {
  readonly world: World;
  readonly process: Process;
  readonly delegation: Delegation;
  readonly random: Random;
  readonly task: Task | undefined;
  readonly command: string;
  readonly claim: string;
}

export function sceneOf(world: World, process: Process, random: Random): Scene {
  const { delegation } = process;
  const id = plannedTask(delegation.taskId);
  const task = world.plan().tasks.find((each) => each.id === id);
  const verify = readVerify(task?.fields.verify);
  return {
    ...{ world, process, delegation, random, task },
    // Must equal the command under which a random plan stores dependencies.
    command: verify.kind === "command" && verify.word === null ? verify.command : `check ${id}`,
    claim: roles[delegation.role].completions[0] ?? "",
  };
}

export function finish({ world, delegation, random, command }: Scene): boolean {
  if (!world.truths.finish(command)) return false;
  loseOther({ world, delegation, random, command });
  return true;
}

export function mend({ world, random, command }: Scene): boolean {
  const { truths } = world;
  const mended = truths.checksOf(command).filter(() => random.chance(0.5));
  const broken = random.chance(0.15) ? random.pick(["loads", "saves"]) : null;
  return truths.mend(command, broken === null ? [...mended, "loads", "saves"] : mended, broken);
}

function loseOther({ world, delegation, random, command }: Pick<Scene, "world" | "delegation" | "random" | "command">) {
  const others = world.truths.standing().filter((other) => other !== command);
  const [first, ...rest] = others;
  if (first !== undefined && random.chance(world.rates.loss)) {
    const lost = random.pick([first, ...rest]);
    world.count("loss");
    world.tell(`${delegation.key} undoes the work of \`${lost}\``);
    world.truths.lose(lost);
  }
}

export function learn({ world, delegation }: Scene, line: string): void {
  const { progressFile, taskId } = delegation;
  const { store } = world;
  if (progressFile.endsWith(`/${progressName()}`)) {
    if (!store.log.text.includes(line)) store.log.text += `${line}\n`;
    return;
  }
  const name = progressFile.slice(progressFile.lastIndexOf("/") + 1);
  const member = world.plan().tasks.find(({ id }) => progressName(id) === name)?.id ?? taskId;
  const log = store.memberLogs.get(member) ?? "";
  if (!log.includes(line)) store.memberLogs.set(member, `${log}${line}\n`);
}
