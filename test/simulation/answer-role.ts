import type { Reply } from "../../src/model/reply.ts";
import type { Scene } from "./scene.ts";

export async function review({ world, process, random }: Scene): Promise<Reply | string> {
  await process.work(random.below(5000));
  // The reviewer must pass in compared runs, because the order of batch members decides which one is reviewed.
  const isCompared = world.options.compare === true && world.policy.maxParallel > 1;
  if (isCompared || !random.chance(world.rates.complaint)) return "Fine.\nREVIEW_PASS";
  world.count("complaint");
  return random.pick<Reply | string>([
    "CODE: it leaks\nREVIEW_FAIL",
    "SPEC: it is unclear\nREVIEW_FAIL",
    "REVIEW_FAIL",
    "Well.",
    { text: "REVIEW_PASS", exitCode: 1 },
  ]);
}

export async function direct({ world, process, random }: Scene): Promise<Reply | string> {
  await process.work(random.below(5000));
  if (random.chance(world.rates.garble)) {
    world.count("garble");
    return random.pick<Reply | string>([
      ...(["What?", "RETRY:", "DECOMPOSE: one", "RETRY: a\nPRUNE: b", "```\nRETRY: a\n```"] as const),
      { text: "", exitCode: 1, problem: { kind: "rate-limit", message: "later" } },
    ]);
  }
  return random.pick([
    `RETRY: use the ${random.pick(["old", "new", "other", "spare"])} parser`,
    "DECOMPOSE: read the lines | sort the fields",
    "DECOMPOSE: open the file | split it | close it",
    "PRUNE: the service is gone",
    "ESCALATE: everything | what to do",
  ]);
}
