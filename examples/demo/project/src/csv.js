/** Rows of a CSV text. A field in quotes may hold commas, and a quote in it is written twice. */
export function readRows(text) {
  return text
    .trim()
    .split("\n")
    .map((row) => row.split(","));
}
