import type { Way } from "../model/explanation.ts";
import { isoTime } from "./render-time.ts";

const rungs = {
  retry: "try it again",
  fix: "have fix tasks written",
  repair: "have a repair operator choose",
  pivot: "have other approaches tried, then ask",
  research: "have context gathered",
  race: "have several try it side by side",
  checkpoint: "stop with a report",
} as const;

/** Something that would lead to another outcome, in one line that is still to be escaped. */
export function renderWay(way: Way): string {
  switch (way.kind) {
    case "first":
      return `${way.task} comes first: ${way.command}`;
    case "run":
      return `it can be done now: ${way.command}`;
    case "wait":
      return way.until === null ? "wait: it is being done" : `wait until ${isoTime(way.until)}`;
    case "raise":
      return `raise ${way.limit}, which is ${way.max}: ${way.command}`;
    case "allow":
      return `${rungs[way.rung]}: ${way.command}`;
    case "mend":
      return `fix ${way.task} by hand, then continue (its Verify runs first): ${way.command}`;
    case "tick":
      return `do ${way.task} by hand and tick its box${lineOf(way)}`;
    case "edit":
      return `change the text of ${way.task}${lineOf(way)}, and continue: ${way.command}`;
    case "guide":
      return `give its executor advice: ${way.command}`;
    case "decide":
      return `${way.decision === "retry" ? `have it tried again${withOthers(way)}` : `leave ${way.task} out`}: ${way.command}`;
    case "answer":
      return way.hint;
  }
}

const withOthers = ({ others = [] }: Extract<Way, { kind: "decide" }>): string =>
  others.length === 0 ? "" : `, and ${others.join(", ")} with it`;

const lineOf = ({ line }: { readonly line: number | null }): string =>
  line === null ? "" : ` in line ${line} of tasks.md`;
