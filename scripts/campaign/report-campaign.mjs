export const countOf = (number) => Math.round(number).toLocaleString("en").replaceAll(",", " ");

export function reportCampaign(campaign, { kinds, minutes, counts, violations }, { seed, commit }) {
  const rows = kinds
    .filter(({ done }) => done > 0)
    .toSorted((one, other) => other.violations.length - one.violations.length)
    .map(({ trials, done, ms, counts: own, violations: found }) => {
      const told = Object.entries(own).map(([name, count]) => `${countOf(count)} ${name}`);
      return `| ${trials.name} | ${countOf(done)} | ${told.join(", ")} | ${(ms / done).toFixed(2)} | ${found.length} |`;
    });
  const notes = [...new Set(kinds.flatMap((kind) => kind.notes))];
  const { [campaign.counts]: n = 0, ...others } = counts;
  const beside = Object.entries(others).map(([name, count]) => `, ${countOf(count)} ${name}`);
  return [
    `| ${campaign.name} | trials | results | ms each | violations |`,
    "| --- | ---: | --- | ---: | ---: |",
    ...rows,
    ...(notes.length === 0 ? [] : ["", ...notes]),
    "",
    `${campaign.name}: n = ${countOf(n)} ${campaign.counts}${beside.join("")}, seed ${seed}, commit ${commit}, ${minutes.toFixed(1)} minutes, ${violations.length} violations`,
    "",
  ].join("\n");
}
