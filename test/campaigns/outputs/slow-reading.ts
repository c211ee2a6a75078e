export interface SlowReading {
  readonly spoken: readonly string[];
  readonly last: string | null;
}

/** Must stay independent of the product's parser, which it judges. */
export function slowReading(text: string): SlowReading {
  const spoken: string[] = [];
  let last: string | null = null;
  let fence = "";
  for (const line of text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").split("\n")) {
    const start = line.replace(/^[ \t]+/, "");
    const mark = start[0] === "`" || start[0] === "~" ? start[0] : "";
    let run = 0;
    while (mark !== "" && start[run] === mark) run += 1;
    const rest = start.slice(run);
    if (fence !== "") {
      if (run >= fence.length && mark === fence[0] && rest.trim() === "") fence = "";
      else if (line.trim() !== "") last = null;
    } else if (run >= 3 && !(mark === "`" && rest.includes("`"))) {
      fence = mark.repeat(run);
    } else if (line.trim().startsWith(">")) {
      last = null;
    } else if (line.trim() !== "") {
      spoken.push(line.trim());
      last = line.trim();
    }
  }
  return { spoken, last };
}
