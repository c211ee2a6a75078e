import { judgeRegex } from "../support/judge-regex.ts";
import { linearParsers } from "../support/linear-parsers.ts";
import { regexesOfProgram } from "../support/regexes-of-program.ts";
import type { WrittenRegex } from "../support/written-regexes.ts";
import type { Campaign } from "./campaign.ts";
import { hardOutputs } from "./linear/hard-outputs.ts";

const megabytes = 10;
/** A megabyte. */
const mostMs = 50;
const parsers = Object.entries(linearParsers);

/** Number i is the i-th parser, which reads every one of the outputs that are hard on some parser. */
export const linearCampaign: Campaign = {
  name: "linear",
  about:
    "every parser of an executor's output on ten megabytes, at most 50 ms of the processor each; attacks on every regular expression",
  counts: "parsers",
  trials: [
    {
      name: "time per megabyte",
      full: parsers.length,
      short: 0,
      batch: 1,
      run: async ({ from }) => {
        const [name, parse] = parsers[from] ?? [];
        if (name === undefined || parse === undefined) return { counts: {}, violations: [], exhausted: true };
        const [output, msPerMegabyte] = slowestFor(parse);
        const told = `${name}: ${msPerMegabyte.toFixed(1)} ms/MB at most, for ${output}`;
        return { counts: { parsers: 1 }, violations: msPerMegabyte > mostMs ? [told] : [], notes: [told] };
      },
    },
    {
      name: "expressions",
      full: Number.POSITIVE_INFINITY,
      // The tests are the short form.
      short: 0,
      batch: 100,
      run: async ({ from, count }, { root }) => {
        const all = await expressionsOf(root);
        const judged = all.slice(from, from + count);
        const violations: string[] = [];
        for (const each of judged) violations.push(...[(await judgeRegex(each, "full")) ?? []].flat());
        return { counts: { expressions: judged.length }, violations, exhausted: from + count >= all.length };
      },
    },
  ],
};

let expressions: Promise<readonly WrittenRegex[]> | undefined;

/** Once in a worker. */
function expressionsOf(root: string): Promise<readonly WrittenRegex[]> {
  expressions ??= regexesOfProgram(root).then(({ all }) => all);
  return expressions;
}

function slowestFor(parse: (text: string) => unknown): readonly [output: string, msPerMegabyte: number] {
  const times = Object.entries(hardOutputs(megabytes)).map(([output, create]) => {
    const text = create();
    return [output, fastestMs(parse, text) / (text.length / 2 ** 20)] as const;
  });
  return times.reduce((slowest, time) => (time[1] > slowest[1] ? time : slowest));
}

/** Of two times, since the first may be that of the compiler; of more, when others of this process may be in it. */
function fastestMs(parse: (text: string) => unknown, text: string): number {
  const allowed = (mostMs * text.length) / 2 ** 20;
  let fastest = cpuMs(parse, text);
  for (let tries = 2; tries === 2 || (tries < 8 && fastest > allowed); tries++) {
    fastest = Math.min(fastest, cpuMs(parse, text));
  }
  return fastest;
}

/** Time of the processor, since others may use it too. */
function cpuMs(parse: (text: string) => unknown, text: string): number {
  const start = process.cpuUsage();
  parse(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
