// What the replays of a policy come to, and the table of all.

/** @param replays Pairs of a trial and what a policy made of it. */
export function sumUp(replays) {
  const sums = { solved: 0, sessions: 0, dollars: 0, falsePivots: 0, falseStops: 0, stopped: 0 };
  for (const [{ sessions }, { used, end }] of replays) {
    const isSolved = sessions.some(({ failing }) => failing === 0);
    sums.sessions += used;
    sums.dollars += sessions.slice(0, used).reduce((sum, { cost }) => sum + cost, 0);
    if (end === "solved") sums.solved += 1;
    if (end === "stuck" && isSolved) sums.falsePivots += 1;
    if (end === "stopped" && isSolved) sums.falseStops += 1;
    // What ended with the record was not ended by the policy.
    if ((end === "stuck" || end === "stopped") && !isSolved && used < sessions.length) sums.stopped += 1;
  }
  return sums;
}

export function renderTable({ name, trials, left, sums }) {
  const solved = trials.filter(({ sessions }) => sessions.some(({ failing }) => failing === 0)).length;
  const endless = trials.length - solved;
  const all = sums[0];
  const share = (part, whole) => (whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`);
  const head = [
    "policy",
    "what is read",
    "solved",
    "of those",
    "sessions",
    "dollars",
    "of all",
    "false pivots",
    "false stops",
    "endless stopped",
  ];
  const rows = sums.map((row) => [
    row.name,
    row.policy === null ? "" : row.reading,
    row.solved,
    share(row.solved, solved),
    row.sessions,
    row.dollars.toFixed(2),
    share(row.dollars, all.dollars),
    row.falsePivots,
    row.falseStops,
    `${row.stopped} (${share(row.stopped, endless)})`,
  ]);
  const excluded = left === 0 ? "" : `; ${left} more broke off or held a session without work, and are left out`;
  return [
    `## ${name}`,
    "",
    `${trials.length} trials, of which ${solved} were solved in the end${excluded}.`,
    "",
    ...[head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`),
  ].join("\n");
}
