import type { IncomingMessage, ServerResponse } from "node:http";
import type { SpecAddress } from "../../../model/command-line.ts";
import { FixpointError } from "../../../model/errors.ts";
import { PageWord, type Recording } from "../../../model/frame.ts";
import { interpreted } from "../../../model/interpreted.ts";
import type { Speaker } from "../../../model/speaker.ts";
import { tellReceipt } from "../../../wording/tell-receipt.ts";
import { renderPage, runPolicy } from "../../page/render-page.ts";
import type { SpecFolder } from "../find-spec.ts";
import { stopRun } from "../message-run.ts";
import { type RecordedFilm, recordingOf } from "../reading/grow-film.ts";
import { readStory } from "../reading/read-stories.ts";
import { sayWord } from "../say-word.ts";
import { watchRun } from "./follow-run.ts";
import { beginStream, bodyOf, giveJson, givePage, turnAway } from "./respond.ts";
import type { Asked, Room } from "./serve-page.ts";
import { streamTo } from "./stream.ts";

/** The process that serves the page, and how command lines name the spec. */
export interface RunRoomOptions {
  readonly by: Speaker;
  readonly address: SpecAddress;
}

/** Viewers whose rows are known, and words that are waited for at once. */
const [mostLoads, mostWords] = [32, 4];
/** How long a stop is waited for. */
const stopMs = 3000;

/** Answers for the page of one run: its frames, their stream, its stories, and the words of a person. */
export function runRoom(spec: SpecFolder, { by: opener, address }: RunRoomOptions): Room {
  const by: Speaker = { ...opener, kind: "page" };
  const run = watchRun(spec, address);
  const page = { text: renderPage(null), policy: `${runPolicy("live")}; frame-ancestors 'none'` };
  const streams = new Set<() => void>();
  /** The rows that viewers were given last, by run and number of frames. */
  const loads = new Map<string, RecordedFilm["rows"] | null>();
  const gone = new AbortController();
  let words = 0;

  const given = (): Recording => {
    const { film } = run.look();
    const key = `${film.run} ${film.frames.length}`;
    // With other rows at the same frame nobody can tell which of them a viewer has.
    loads.set(key, (loads.get(key) ?? film.rows) === film.rows ? film.rows : null);
    if (loads.size > mostLoads) loads.delete(loads.keys().next().value ?? "");
    return recordingOf(film);
  };
  const stream = (response: ServerResponse, asked: URLSearchParams): void => {
    const [number, frames] = ["run", "frames"].map((name) => Number(asked.get(name) ?? "0"));
    const seen = { run: number ?? 0, frames: frames ?? 0, rows: loads.get(`${number} ${frames}`) ?? null };
    beginStream(response);
    const end = streamTo(response, run, seen);
    streams.add(end);
    response.on("close", () => streams.delete(end));
  };
  const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (words >= mostWords) return turnAway(response, 429);
    words += 1;
    try {
      const body = await bodyOf(request);
      const word = body === null ? null : wordIn(body);
      if (word === null) return turnAway(response, body === null ? 413 : 400);
      giveJson(response, { answer: await say(word) });
    } finally {
      words -= 1;
    }
  };
  const say = async ({ word, text, task }: PageWord): Promise<string> => {
    const how = { by, address, signal: gone.signal };
    if (word === "guidance" && (text ?? "").trim() === "") return "Not heard: guidance needs a text";
    try {
      return tellReceipt(await sayWord(spec, { word, text, task }, how), address);
    } catch (error) {
      if (!(error instanceof FixpointError)) throw error;
      const isStop = word === "stop" && error.code === "nothing-to-decide";
      if (!isStop) return `${error.message}${error.hint === undefined ? "" : `. ${error.hint}`}`;
      const { kind } = await stopRun(spec, by, AbortSignal.any([gone.signal, AbortSignal.timeout(stopMs)]));
      return kind === "ended" ? "Stopped. It can be continued later" : "Will stop: what is under way is being ended";
    }
  };
  return {
    answer: async ({ path, query }: Asked, request, response) => {
      if (path === "/") return givePage(response, page);
      if (path === "/frames") return giveJson(response, given());
      if (path === "/story") return giveJson(response, readStory(run.look().film, query.get("task") ?? ""));
      if (path === "/say") return await hear(request, response);
      if (path === "/stream") return stream(response, query);
      return turnAway(response, 404);
    },
    end: () => {
      gone.abort();
      for (const end of streams) end();
    },
  };
}

const SaidWord = PageWord.strict();

function wordIn(body: string): PageWord | null {
  try {
    return SaidWord.parse(JSON.parse(body), interpreted);
  } catch {
    return null;
  }
}
