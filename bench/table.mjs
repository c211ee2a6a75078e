export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

export const short = (number) => (Math.abs(number) >= 100 ? number.toFixed(0) : String(Number(number.toPrecision(3))));

export function renderTable(heads, rows) {
  const cells = [heads, ...rows.map((row) => row.map((cell) => (typeof cell === "number" ? short(cell) : cell)))];
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const isText = heads.map((_, column) => rows.every((row) => typeof row[column] === "string"));
  const line = (row) =>
    `| ${row.map((cell, at) => (isText[at] ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join(" | ")} |`;
  const rule = `| ${widths.map((width, at) => (isText[at] ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return `${[line(cells[0]), rule, ...cells.slice(1).map(line)].join("\n")}\n`;
}
