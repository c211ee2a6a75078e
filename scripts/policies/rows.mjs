// The policies that are compared.
const escalation = ["retry", "pivot", "research", "checkpoint"];
const all = ["fix", "repair", "pivot", "research", "checkpoint"];
const ladders = { retry: ["retry"], fix: ["fix"], escalation, all };

/** The limits that make K attempts without progress the last ones, on each ladder. */
const limited = {
  retry: (k) => ({ maxTaskIterations: k }),
  fix: (k) => ({ maxFixTasksPerOriginal: k - 1 }),
  escalation: (k) => ({ stuckAfterSameErrors: k, maxTaskIterations: Math.max(5, k) }),
  all: (k) => ({ stuckAfterSameErrors: k, maxFixTasksPerOriginal: k - 1 }),
};

/** @param given Further policies, as JSON. */
export function rowsFor(given) {
  const defaults = Object.entries(ladders).map(([name, recovery]) => row(`${name}, defaults`, { recovery }));
  const alike = Object.entries(ladders).map(([name, recovery]) => row(`${name}, defaults`, { recovery }, "all alike"));
  const counted = Object.entries(ladders).map(([name, recovery]) =>
    row(`${name}, defaults`, { recovery }, "count in the error"),
  );
  const bounds = Object.entries(ladders).flatMap(([name, recovery]) =>
    [2, 3, 4, 5].flatMap((k) =>
      ["progress", "all alike"].map((reading) => row(`${name}, K = ${k}`, { recovery, ...limited[name](k) }, reading)),
    ),
  );
  const own = given.map((json) => row(json, JSON.parse(json)));
  return [never, ...defaults, ...counted, ...alike, ...own, ...bounds];
}

/** @param reading How much of a failure is read: what fails, its number as a part of the error, or that something does. */
const row = (name, policy, reading = "progress") => ({ name, policy, reading });

/** To go on until the record ends. */
const never = { name: "never stop", policy: null, reading: "progress" };
