import type { MoreFrames, PageWord, Recording, Standing, TaskStories, TaskStory } from "../../../model/frame.ts";
import { readEvents } from "./read-events.ts";

/** What an executor has printed so far. */
export interface Tail {
  readonly task: string;
  readonly attempt: number;
  readonly text: string;
}

/** A part of it, as it is sent: `keep` characters of what was sent before stand in front. */
interface MoreTail extends Tail {
  readonly keep: number;
}

/** What a page has of a run already: its number, and how many frames. */
interface Seen {
  readonly run: number;
  readonly frames: number;
}

/** What a live page hears. */
interface Heard {
  frames(more: MoreFrames): void;
  standing(standing: Standing): void;
  tail(tail: MoreTail): void;
  /** The stream is open. */
  begin(): void;
  end(): void;
  /** The stream broke, and the whole is read again. */
  again(recording: Recording): void;
  /** Nobody answers. */
  lost(): void;
}

/** Where a page has its data from. */
export interface Source {
  load(): Promise<Recording>;
  story(task: string): Promise<TaskStory | null>;
  /** Only of a live page. */
  readonly live: { follow(heard: Heard, seen: () => Seen): Promise<void>; say(word: PageWord): Promise<string> } | null;
}

/** The data that stands in the page. */
export function embedded(): Source {
  let stories: Promise<TaskStories> | null = null;
  return {
    load: () => unpack<Recording>("recording"),
    story: async (task) => {
      stories ??= unpack<TaskStories>("stories");
      const all = await stories;
      return Object.hasOwn(all, task) ? (all[task] ?? null) : null;
    },
    live: null,
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
  const load = (): Promise<Recording> => ask<Recording>("frames");
  return {
    load,
    story: (task) => ask<TaskStory>(`story?task=${encodeURIComponent(task)}`),
    live: {
      say: async (word) => {
        const body = JSON.stringify(word);
        const init = { method: "POST", body, headers: { "Content-Type": "application/json" } };
        return (await ask<{ answer: string }>("say", init)).answer;
      },
      follow: async (heard, seen) => {
        for (let pause = 250; ; pause = Math.min(2 * pause, 8000)) {
          try {
            const { run, frames } = seen();
            const answer = await fetch(`stream?run=${run}&frames=${frames}`, { headers, cache: "no-store" });
            if (!answer.ok || answer.body === null) throw new Error(String(answer.status));
            heard.begin();
            if (await hear(answer.body, heard)) return;
            pause = 250;
          } catch {
            heard.lost();
          }
          await new Promise((resolve) => setTimeout(resolve, pause));
          await load().then(heard.again, () => heard.lost());
        }
      },
    },
  };
}

/** Hear a stream out. @returns Whether nothing more will come. */
async function hear(body: ReadableStream<Uint8Array>, heard: Heard): Promise<boolean> {
  for await (const { event, data } of readEvents(body)) {
    if (event === "frames") heard.frames(JSON.parse(data) as MoreFrames);
    if (event === "standing") heard.standing(JSON.parse(data) as Standing);
    if (event === "tail") heard.tail(JSON.parse(data) as MoreTail);
    if (event !== "end") continue;
    heard.end();
    return true;
  }
  return false;
}
