import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const worker = fileURLToPath(new URL("worker.mjs", import.meta.url));
const batchMinutes = 10;
const enough = 5;

export async function runCampaign(given) {
  const kinds = given.trials.map((trials) => ({
    ...{ trials, from: given.firstOf(trials), wanted: given.wanted(trials) },
    ...{ handed: 0, done: 0, ms: 0, counts: {}, violations: [], notes: [], exhausted: false },
  }));
  const started = Date.now();
  await Promise.all(Array.from({ length: given.workers }, () => work(given, kinds, started)));
  if (given.signal.aborted) return null;
  const minutes = (Date.now() - started) / 60_000;
  return { kinds, minutes, counts: sumOf(kinds), violations: kinds.flatMap(({ violations }) => violations) };
}

async function work(given, kinds, started) {
  const isOver = () => given.signal.aborted || Date.now() - started > given.minutes * 60_000;
  while (!isOver() && nextKind(kinds) !== undefined) {
    const child = fork(worker, [given.file, given.root, given.program, given.campaign.name], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    await answerOf(child);
    let isAlive = true;
    for (let kind = nextKind(kinds); isAlive && !isOver() && kind !== undefined; kind = nextKind(kinds)) {
      isAlive = await makeBatch(given, kind, child);
    }
    child.kill("SIGKILL");
  }
}

function nextKind(kinds) {
  const open = kinds.filter(
    ({ handed, wanted, exhausted, violations }) => handed < wanted && !exhausted && violations.length < enough,
  );
  const share = ({ handed, wanted }) => handed / (Number.isFinite(wanted) ? wanted : 100);
  return open.sort((a, b) => share(a) - share(b))[0];
}

async function makeBatch({ seed, path, signal, print, campaign }, kind, child) {
  const { trials } = kind;
  const count = Math.min(trials.batch, kind.wanted - kind.handed);
  const batch = { seed, from: kind.from + kind.handed, count, ...(path !== undefined && { path }) };
  kind.handed += path === undefined ? count : kind.wanted;
  child.send({ trial: trials.name, batch });
  const limit = setTimeout(() => child.kill("SIGKILL"), (trials.minutes ?? batchMinutes) * 60_000);
  const result = await answerOf(child);
  clearTimeout(limit);
  if (signal.aborted) return false;
  const lost = { counts: {}, violations: [`numbers from ${batch.from}, seed ${seed}: the worker hung or died`], ms: 0 };
  const { counts, violations, notes = [], exhausted = false, ms } = result ?? lost;
  for (const [name, count] of Object.entries(counts)) kind.counts[name] = (kind.counts[name] ?? 0) + count;
  for (const violation of violations) print(`${campaign.name}: ${trials.name}: ${violation}\n`);
  kind.violations.push(...violations);
  kind.notes.push(...notes);
  kind.done += count;
  kind.ms += ms;
  kind.exhausted ||= exhausted;
  return result !== null;
}

function answerOf(child) {
  return new Promise((resolve) => {
    const settle = (answer) => {
      child.off("message", settle);
      child.off("exit", end);
      resolve(answer);
    };
    const end = () => settle(null);
    child.on("message", settle);
    child.on("exit", end);
  });
}

function sumOf(kinds) {
  const sum = {};
  for (const { counts } of kinds) {
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
}
