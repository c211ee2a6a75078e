export function renderTable(results) {
  const tools = [...new Map(results.map(({ tool }) => [tool.name, tool])).values()];
  const names = [...new Set(results.map(({ kase }) => kase.name))];
  const row = (cells) => `| ${cells.join(" | ")} |`;
  const cellOf = (name, tool) => {
    const found = results.find((result) => result.kase.name === name && result.tool.name === tool.name);
    return found === undefined ? "" : `${markOf(found)} ${found.kind}`;
  };
  const wrong = results.filter(({ problems }) => problems.length > 0);
  const unable = results.filter(({ cannot }) => cannot !== undefined);
  const notes = [...wrong.map(renderWrong), ...unable.map(renderUnable)];
  return [
    row(["case", ...tools.map(({ name, version }) => `${name} ${version}`)]),
    row(["---", ...tools.map(() => "---")]),
    ...names.map((name) => row([name, ...tools.map((tool) => cellOf(name, tool))])),
    "",
    `${results.length - wrong.length - unable.length} of ${results.length} cells are right.`,
    ...(notes.length === 0 ? [] : ["", ...notes]),
  ].join("\n");
}

const renderWrong = ({ tool, kase, kind, problems }) => `- ${tool.name}, ${kase.name}: ${kind}; ${problems.join("; ")}`;
const renderUnable = ({ tool, kase, cannot }) => `- ${tool.name} cannot do ${kase.name}: ${cannot}`;

export const markOf = ({ problems, cannot }) => (cannot !== undefined ? "–" : problems.length === 0 ? "✔" : "✘");
