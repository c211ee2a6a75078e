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

/**
 * Receiver of run data, called in this order: the run, each start followed by its records, and whether a coordinator
 * executes the run.
 */
interface Heard {
  /** Announce a complete run: the first one, a new one, or the same run again after the stream broke. */
  run(head: PageRun): void;
  start(start: Omit<RecordedStart, "records">): void;
  records(records: readonly TimedRunRecord[]): void;
  plan(changed: PlanChanged): void;
  /** Report whether a coordinator executes the run. Called after all earlier data were reported. */
  work(atWork: AtWork): void;
  tail(more: MoreOutput): void;
  begin(): void;
  end(): void;
  lost(error: string): void;
}

export interface Source {
  /** Follow the run until no more data will come. @returns Sentences about omitted evidence. */
  follow(heard: Heard): Promise<readonly string[]>;
  printed(task: string): Promise<readonly Printed[]>;
  /** Fetch the diff of an attempt; a long diff is cut at its end. */
  diff(key: string): Promise<Clip>;
  /** Sends a message, and returns the answer as a sentence; null unless the page is live. */
  readonly say: ((word: PageWord) => Promise<string>) | null;
}

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
      if (made?.changed === undefined) throw new Error(`This diff is not in this page: see fixpoint diff ${key}`);
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

/** Return a function that requests JSON from the server. @param token Access token. */
export const asker =
  (token: string) =>
  async <Data>(path: string, init: RequestInit = {}): Promise<Data> => {
    const headers = { Authorization: `Bearer ${token}`, ...init.headers };
    const answer = await fetch(path, { ...init, headers, cache: "no-store" });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`.trim());
    return (await answer.json()) as Data;
  };

/** Read data from the server of the page. @param token Access token. */
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

/** Dispatch the events of a stream. @returns True if the server has ended, false if the stream broke. */
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

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<{ event: string; data: string }> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = field(block, "event");
      if (event !== "") yield { event, data: field(block, "data") };
    }
  }
}

const field = (block: string, name: string): string =>
  block
    .split("\n")
    .filter((line) => line.startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1).trim())
    .join("\n");

/**
 * Take the access token from the fragment of the URL, which browsers do not send to servers, and remove it from the
 * URL. The tab stores the token so that the page can be reloaded; the token is useless after the server has ended.
 */
export function takeToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given !== null) sessionStorage.setItem("token", given);
  history.replaceState(null, "", location.pathname);
  return given ?? sessionStorage.getItem("token") ?? "";
}
