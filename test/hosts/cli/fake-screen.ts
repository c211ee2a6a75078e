export const esc = "\u001b";

const parts = new RegExp(`${esc}\\[(?:\\?7[lh]|2K|J|\\d+[A-Zm])|[\r\n]|[^\r\n${esc}]+|${esc}`, "g");

export function showOn(rows: number, text: string): { readonly history: string[]; readonly screen: string[] } {
  const history: string[] = [];
  const screen: string[] = Array.from({ length: rows }, () => "");
  let [row, column] = [0, 0];
  for (const [part] of text.matchAll(parts)) {
    if (part === "\r") column = 0;
    else if (part === "\n") feed();
    else if (part === `${esc}[2K`) screen[row] = "";
    else if (part === `${esc}[J`) screen.fill("", row + 1).splice(row, 1, (screen[row] ?? "").slice(0, column));
    else if (part === `${esc}[?7l` || part === `${esc}[?7h`) continue;
    else if (part.startsWith(`${esc}[`) && part.endsWith("A")) row = Math.max(0, row - Number(part.slice(2, -1)));
    else if (part.startsWith(esc)) throw new Error(`Cannot show ${JSON.stringify(part)}`);
    else {
      const line = (screen[row] ?? "").padEnd(column);
      screen[row] = line.slice(0, column) + part + line.slice(column + part.length);
      column += part.length;
    }
  }
  return { history, screen: screen.slice(0, row + 1) };

  function feed(): void {
    column = 0;
    row += 1;
    if (row < rows) return;
    history.push(screen.shift() ?? "");
    screen.push("");
    row = rows - 1;
  }
}
