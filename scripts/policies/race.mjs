// Compares a race with a sequence of attempts for the same money. Trials of one repository are independent, so their
// first sessions can stand for parallel attempts.

import { readFileSync } from "node:fs";
import { basename } from "node:path";

export const raceTablesIn = (paths) =>
  paths.flatMap((path) => raceSetsIn(readFileSync(path, "utf8"), basename(path))).map(raceTablesOf);

/**
 * @returns Tasks or repositories: `{ name, unit, groups }`. A group is a list of trials. A trial is a list of attempts
 *   `{ solved, cost }`, each of which continues from the previous one.
 */
function raceSetsIn(text, name) {
  const rows = name.endsWith(".ndjson")
    ? text
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map(JSON.parse)
    : [];
  if (rows.some(({ sessions, seed }) => Array.isArray(sessions) && seed !== undefined)) return [fromRepositories(rows)];
  if (name === "tau.json") return [fromRewards(JSON.parse(text))];
  return [];
}

const fromRepositories = (rows) => ({
  name: "outerloop: agents and models at one repository",
  unit: "dollars",
  groups: groupsOf(
    rows.filter(({ aborted = false, sessions }) => !aborted && sessions.every(({ dead = false }) => !dead)),
    ({ cell, seed }) => `${cell} ${seed}`,
  ).map((trials) =>
    trials.map(({ sessions }) => sessions.map(({ failing, cost_usd: cost }) => ({ solved: failing === 0, cost }))),
  ),
});

/** No costs are recorded, so each attempt costs 1. */
const fromRewards = ({ rows }) => ({
  name: "tau: one model at one task, independent trials",
  unit: "attempts",
  groups: rows.map(({ reward }) => reward.map((each) => [{ solved: each === 1, cost: 1 }])),
});

function groupsOf(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return [...groups.values()].filter((group) => group.length > 1);
}

const patience = 4;

function raceTablesOf({ name, unit, groups }) {
  const stuck = groups.flatMap((group) =>
    group.flatMap((trial) => {
      if (trial.length <= patience || trial.slice(0, patience).some(({ solved }) => solved)) return [];
      return [{ own: trial.slice(patience), group: group.filter((other) => other !== trial) }];
    }),
  );
  const tries = groups.map((group) => group.length);
  const head = `${groups.length} tasks with ${Math.min(...tries)} to ${Math.max(...tries)} independent trials, ${tries.reduce((all, each) => all + each, 0)} in all.`;
  return [
    `### ${name}`,
    head,
    tableOf(unit, groups.length, [
      { way: "one attempt", ...sum(groups, (group) => average(group.map((trial) => inRow(trial, 1)))) },
      { way: "a race of all recorded trials", ...sum(groups, race) },
      {
        way: "a single trial with the same money",
        ...sum(groups, (group) => average(group.map((trial) => sameMoney(trial, race(group).cost)))),
      },
      { way: "one after the other, until one is green", ...sum(groups, averageOfOrders) },
    ]),
    ...(stuck.length === 0
      ? []
      : [
          `${stuck.length} of these trials were not green after ${patience} sessions, and continued. From there:`,
          tableOf(unit, stuck.length, [
            { way: "a race of the other trials, from the original files", ...sum(stuck, ({ group }) => race(group)) },
            {
              way: "the stuck trial continues with the same money",
              ...sum(stuck, ({ own, group }) => sameMoney(own, race(group).cost)),
            },
            { way: "the other trials, one after the other", ...sum(stuck, ({ group }) => averageOfOrders(group)) },
          ]),
        ]),
  ].join("\n\n");
}

function tableOf(unit, count, rows) {
  const sorted = rows.sort((one, other) => one.solved - other.solved || other.cost - one.cost);
  return [
    `| way | solved of ${count} | ${unit} | ${unit} a solved task |`,
    "| --- | --- | --- | --- |",
    ...sorted.map(
      ({ way, solved, cost }) =>
        `| ${way} | ${solved.toFixed(1)} | ${cost.toFixed(2)} | ${solved === 0 ? "" : (cost / solved).toFixed(3)} |`,
    ),
  ].join("\n");
}

/** Adds up all first attempts: the record does not say which one ends first, and a stopped attempt costs money too. */
const race = (group) => {
  const firsts = group.map(([first]) => first);
  return { solved: firsts.some(({ solved }) => solved) ? 1 : 0, cost: costOf(firsts) };
};

function inRow(trial, most) {
  const tries = trial.slice(0, most);
  const green = tries.findIndex(({ solved }) => solved);
  return { solved: green === -1 ? 0 : 1, cost: costOf(green === -1 ? tries : tries.slice(0, green + 1)) };
}

function sameMoney(trial, money) {
  const most = trial.findIndex((_, last) => costOf(trial.slice(0, last + 1)) > money);
  return inRow(trial, most === -1 ? trial.length : Math.max(1, most));
}

/** Takes the mean over all choices of the first trial: the recorded order of trials is random. */
const averageOfOrders = (group) =>
  average(
    group.map((_, start) =>
      inRow(
        [...group.slice(start), ...group.slice(0, start)].map(([first]) => first),
        group.length,
      ),
    ),
  );

const costOf = (tries) => tries.reduce((all, { cost }) => all + cost, 0);

const average = (all) => ({
  solved: all.reduce((sum, { solved }) => sum + solved, 0) / all.length,
  cost: costOf(all) / all.length,
});

const sum = (groups, way) => {
  const all = groups.map(way);
  return { solved: all.reduce((total, { solved }) => total + solved, 0), cost: costOf(all) };
};
