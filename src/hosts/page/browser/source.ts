import type { TimedRunRecord } from "../../../model/record.ts";
import { taskOf } from "../../../model/reply.ts";
import type { RecordedStart } from "../../../runtime/recorded-run.ts";
import type {
  AtWork,
  Clip,
  MoreOutput,
  PageRun,
  PageWord,
  PlanChanged,
  Printed,
  PrintedByTask,
  WholeRun,
} from "../page-data.ts";
import { readEvents } from "./read-events.ts";

/** What a page hears of its run, in this order: the run, its starts, each before its records, and who is at work. */
interface Heard {
  /** The whole is told from here on: it begins, another run has begun, or the stream broke. */
  run(head: PageRun): void;
  start(start: Omit<RecordedStart, "records">): void;
  records(records: readonly TimedRunRecord[]): void;
  plan(changed: PlanChanged): void;
  /** All that has happened so far is told. */
  work(atWork: AtWork): void;
  tail(more: MoreOutput): void;
  /** The stream is open. */
  begin(): void;
  end(): void;
  /** Nobody answers, and why. */
  lost(error: string): void;
}

/** Where a page has its data from. */
export interface Source {
  /** Hear of the run, until nothing more will come. @returns What of the evidence is left out, in sentences. */
  follow(heard: Heard): Promise<readonly string[]>;
  /** What the attempts at a task have printed. */
  printed(task: string): Promise<readonly Printed[]>;
  /** What an attempt changed, as a unified diff, of a long one its beginning. */
  diff(key: string): Promise<Clip>;
  /** Only of a live page. */
  readonly say: ((word: PageWord) => Promise<string>) | null;
}

/** The data that stands in the page. */
export function embedded(): Source {
  let all: Promise<PrintedByTask> | null = null;
  const printed = async (task: string): Promise<readonly Printed[]> => {
    all ??= unpack<PrintedByTask>("printed");
    const byTask = await all;
    return Object.hasOwn(byTask, task) ? (byTask[task] ?? []) : [];
  };
  return {
    follow: async (heard) => {
      const { head, starts, atWork, left } = await unpack<WholeRun>("run");
      heard.run(head);
      for (const start of starts) {
        heard.start(start);
        heard.records(start.records);
      }
      heard.work(atWork);
      return left;
    },
    printed,
    diff: async (key) => {
      const made = (await printed(taskOf(key))).find(({ attempt }) => key.endsWith(`#${attempt}`));
      if (made?.changed === undefined) throw new Error(`It is not in this page: see fixpoint diff ${key}`);
      return made.changed;
    },
    say: null,
  };
}

async function unpack<Data>(id: string): Promise<Data> {
  const text = document.getElementById(id)?.textContent ?? "";
  const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  const whole = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(whole).text()) as Data;
}

/** Asks a server for JSON. @param token What it knows its user by. */
export const asker =
  (token: string) =>
  async <Data>(path: string, init: RequestInit = {}): Promise<Data> => {
    const headers = { Authorization: `Bearer ${token}`, ...init.headers };
    const answer = await fetch(path, { ...init, headers, cache: "no-store" });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`.trim());
    return (await answer.json()) as Data;
  };

/** Data of the server that has served the page. @param token What it knows its user by. */
export function served(token: string): Source {
  const headers = { Authorization: `Bearer ${token}` };
  const ask = asker(token);
  return {
    printed: (task) => ask<readonly Printed[]>(`printed?task=${encodeURIComponent(task)}`),
    diff: (key) => ask<Clip>(`diff?key=${encodeURIComponent(key)}`),
    say: async (word) => {
      const body = JSON.stringify(word);
      const init = { method: "POST", body, headers: { "Content-Type": "application/json" } };
      return (await ask<{ answer: string }>("say", init)).answer;
    },
    follow: async (heard) => {
      for (let pause = 250; ; pause = Math.min(2 * pause, 8000)) {
        try {
          const answer = await fetch("stream", { headers, cache: "no-store" });
          if (!answer.ok || answer.body === null) throw new Error(`${answer.status} ${await answer.text()}`.trim());
          heard.begin();
          if (await hear(answer.body, heard)) return [];
          pause = 250;
        } catch (error) {
          heard.lost(String(error));
        }
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    },
  };
}

/** Hear a stream out. @returns Whether nothing more will come. */
async function hear(body: ReadableStream<Uint8Array>, heard: Heard): Promise<boolean> {
  for await (const { event, data } of readEvents(body)) {
    if (event === "run") heard.run(JSON.parse(data) as PageRun);
    if (event === "start") heard.start(JSON.parse(data) as Omit<RecordedStart, "records">);
    if (event === "records") heard.records(JSON.parse(data) as TimedRunRecord[]);
    if (event === "plan") heard.plan(JSON.parse(data) as PlanChanged);
    if (event === "work") heard.work(JSON.parse(data) as AtWork);
    if (event === "tail") heard.tail(JSON.parse(data) as MoreOutput);
    if (event !== "end") continue;
    heard.end();
    return true;
  }
  return false;
}
