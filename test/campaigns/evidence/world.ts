import { randomNumbers } from "../../support/random-numbers.ts";

export type Content = ReadonlyMap<string, string>;

export interface World {
  readonly plan: string;
  readonly files: Content;
  readonly knownFailures: "ask" | "ignore" | "repair";
  readonly finalVerify: string | null;
  readonly redOn: (command: string, content: Content, isFirst: boolean) => readonly string[];
  readonly act: (key: string, command: string | null, files: Map<string, string>) => string | null;
  readonly chance: (name: string) => number;
}

export const fileOf = (check: string): string => `test/${check}.test.js`;
export const sourceOf = (check: string): string => `src/${check}.js`;

const old = "old";

export function makeWorld(seed: number): World {
  const chance = (name: string): number => {
    let hash = Math.imul(seed ^ 0x811c9dc5, 0x01000193) >>> 0;
    for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
    return randomNumbers(hash)();
  };
  const is = (name: string, rate: number): boolean => chance(name) < rate;
  const pick = <Value>(name: string, from: readonly Value[]): Value =>
    from[Math.floor(chance(name) * from.length)] as Value;
  const ids = Array.from({ length: 2 + Math.floor(chance("tasks") * 4) }, (_, index) => `1.${index + 1}`);
  const checkOf = (id: string): string => `c${id.split(".")[1]}`;
  const [from, size] = [Math.floor(chance("from") * 3), is("batch", 0.5) ? 2 + Math.floor(chance("size") * 2) : 0];
  const members = new Set(ids.slice(from, from + size));
  const others = ids.filter((id) => !members.has(id));
  const files = new Map<string, string>();
  const hasOld = is("old", 0.4);
  const commands = new Map<string, readonly string[]>();
  commands.set("npm test", [...ids.map(checkOf), ...(hasOld ? [old] : [])]);
  const blocks = ids.map((id) => {
    const check = checkOf(id);
    const isMember = members.has(id);
    const kind = isMember ? "plain" : pick(`kind ${id}`, ["plain", "plain", "plain", "own", "verify", "none", "reach"]);
    const own = `${kind === "reach" ? "curl -s localhost/" : "npm run "}${check}`;
    const command = kind !== "reach" && kind !== "own" && is(`shared ${id}`, 0.5) ? "npm test" : own;
    commands.set(own, [check, ...(hasOld && is(`old ${id}`, 0.3) ? [old] : [])]);
    files.set(sourceOf(check), is(`good ${id}`, 0.25) ? "good" : "bad");
    if (kind !== "own") files.set(fileOf(check), `import "../${sourceOf(check)}"`);
    return [
      `- [ ] ${id} ${isMember ? "[P] " : ""}${kind === "verify" ? "[VERIFY] " : ""}Step`,
      ...(kind === "verify" ? [] : [`  - **Files**: ${sourceOf(check)}`]),
      ...(kind === "none" ? [] : [`  - **Verify**: \`${command}\``]),
    ].join("\n");
  });
  if (hasOld) files.set(fileOf(old), `import "../${sourceOf(old)}"`).set(sourceOf(old), "bad");
  const finalVerify = is("final", 0.3) ? "npm run all" : null;
  commands.set("npm run all", ids.map(checkOf));
  const flaky = new Set(is("flaky", 0.6) ? ids.map(checkOf).filter((check) => is(`flaky ${check}`, 0.5)) : []);
  const flakes = pick("flakes", [0.2, 0.5]);
  const redOn: World["redOn"] = (command, content, isFirst) =>
    (commands.get(command) ?? []).filter((check) => {
      if (!content.has(fileOf(check)) || content.get(sourceOf(check)) !== "good") return true;
      return isFirst && flaky.has(check) && is(`${command} ${check} ${JSON.stringify([...content])}`, flakes);
    });
  const act: World["act"] = (key, command, now) => {
    const [task = "", attempt = ""] = key.split("#");
    const own = checkOf(task);
    const isFix = task.split(".").length > 2;
    const mend = (check: string): void => {
      if (check !== old) now.set(sourceOf(check), "good").set(fileOf(check), `import "../${sourceOf(check)}"`);
    };
    const all = command === null ? [own] : (commands.get(command) ?? []);
    const other = sourceOf(checkOf(pick(`other ${key}`, ids)));
    switch (pick(`act ${key}`, ["mend", "mend", "mend", "mend", "idle", "note", "break", "worsen"])) {
      case "mend":
        for (const check of isFix || attempt !== "1" ? all : [own]) mend(check);
        break;
      case "note":
        now.set("docs/notes.md", key);
        break;
      case "break":
        mend(own);
        now.set(other, `broken by ${key}`);
        break;
      case "worsen":
        now.set(sourceOf(own), `worsened by ${key}`);
        break;
      default:
    }
    return others.includes(task) && is(`ticks ${key}`, 0.2) ? pick(`box ${key}`, others) : null;
  };
  const plan = `## Phase 1: All\n\n${blocks.join("\n")}\n`;
  return { plan, files, knownFailures: pick("known", ["ask", "ignore", "repair"]), finalVerify, redOn, act, chance };
}
