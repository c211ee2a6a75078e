/** A Markdown table of cases and tools, and below it what is wrong. */
export function renderTable(results) {
  const tools = [...new Map(results.map(({ tool }) => [tool.name, tool])).values()];
  const names = [...new Set(results.map(({ kase }) => kase.name))];
  const row = (cells) => `| ${cells.join(" | ")} |`;
  const cellOf = (name, tool) => {
    const found = results.find((result) => result.kase.name === name && result.tool.name === tool.name);
    return found === undefined ? "" : `${found.problems.length === 0 ? "✔" : "✘"} ${found.kind}`;
  };
  const wrong = results.filter(({ problems }) => problems.length > 0);
  return [
    row(["case", ...tools.map(({ name, version }) => `${name} ${version}`)]),
    row(["---", ...tools.map(() => "---")]),
    ...names.map((name) => row([name, ...tools.map((tool) => cellOf(name, tool))])),
    "",
    `${results.length - wrong.length} of ${results.length} cells are right.`,
    ...(wrong.length === 0 ? [] : ["", ...wrong.map(renderWrong)]),
  ].join("\n");
}

const renderWrong = ({ tool, kase, kind, problems }) => `- ${tool.name}, ${kase.name}: ${kind}; ${problems.join("; ")}`;
