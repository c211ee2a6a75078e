import type { IncomingMessage, ServerResponse } from "node:http";
import type { SpecAddress } from "../../../model/command-line.ts";
import { FixpointError } from "../../../model/errors.ts";
import { interpreted } from "../../../model/parse-json.ts";
import type { PersonEvent, Speaker } from "../../../model/person-event.ts";
import { renderReceipt } from "../../../wording/render-receipt.ts";
import { type Clip, PageWord, type Printed } from "../../page/page-data.ts";
import { renderPage, runPolicy } from "../../page/render-page.ts";
import type { SpecFolder } from "../find-spec.ts";
import { stopRun } from "../message-run.ts";
import { pageRunOf } from "../reading/page-run.ts";
import { readChanged } from "../reading/read-changed.ts";
import { readPrinted } from "../reading/read-printed.ts";
import { personEventOf, sendToRun } from "../send-message.ts";
import { watchRun } from "./follow-run.ts";
import { beginStream, bodyOf, giveJson, givePage, turnAway } from "./guard.ts";
import { type Asked, type Room, type ServedPage, servePage } from "./serve-page.ts";
import { streamTo } from "./stream-run.ts";

/**
 * Serve the page of one run, whether it is in progress or not.
 *
 * @throws {EnvironmentError} `file-refused`, `user-folder-unusable`
 */
export const serveRun = (spec: SpecFolder, options: RunRoomOptions): Promise<ServedPage> =>
  servePage(spec.folder, runRoom(spec, options));

export interface RunRoomOptions {
  readonly by: Speaker;
  readonly address: SpecAddress;
  /** Access to the run of a fleet; not given for a run of this machine. */
  readonly fleet?: {
    say(event: PersonEvent, by: Speaker, task?: string): Promise<void>;
    asked(): string | null;
  };
}

const mostWords = 4;
/** Maximum time to wait until a stopped run has ended. */
const stopMs = 3000;

export function runRoom(spec: SpecFolder, { by: opener, address, fleet }: RunRoomOptions): Room {
  const by: Speaker = { ...opener, kind: "page" };
  const run = watchRun(spec, { asked: fleet?.asked });
  const page = { text: renderPage(null), policy: `${runPolicy("live")}; frame-ancestors 'none'` };
  const streams = new Set<() => void>();
  const gone = new AbortController();
  let words = 0;

  const stream = (response: ServerResponse): void => {
    // Fail early if the run cannot be read.
    run.look();
    beginStream(response);
    const end = streamTo(response, run, ({ run, segments, plan }) =>
      pageRunOf({ folder: spec.folder, run, address, segments, plan }),
    );
    streams.add(end);
    response.on("close", () => streams.delete(end));
  };
  const printed = (task: string): Printed[] => {
    const { run: number, segments } = run.look();
    const records = segments.flatMap((segment) => segment.records);
    return readPrinted(records, task, { dataFolder: spec.dataFolder, run: number });
  };
  const diff = async (key: string): Promise<Clip> => {
    if (fleet !== undefined)
      return { text: "The changes of a fleet's run are in its repository: see the branch of the run", left: 0 };
    return await readChanged({ spec, address, folder: spec.folder, run: run.look().run }, key);
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
    if (word === "guidance" && (text ?? "").trim() === "") return "Not sent: guidance needs a text";
    try {
      if (fleet !== undefined) {
        await fleet.say(eventOf({ word, text, task }), by, task);
        return `Sent ${word}: a worker will receive it`;
      }
      return renderReceipt(await sendToRun(spec, { word, text, task }, how), address);
    } catch (error) {
      if (!(error instanceof FixpointError)) throw error;
      // Stop only a run of this machine: this process itself holds the lease of a fleet's run.
      const isStop = fleet === undefined && word === "stop" && error.code === "nothing-to-decide";
      if (!isStop) return `${error.message}${error.hint === undefined ? "" : `. ${error.hint}`}`;
      const { kind } = await stopRun(spec, by, AbortSignal.any([gone.signal, AbortSignal.timeout(stopMs)]));
      return kind === "ended" ? "Stopped. The run can be continued later" : "Will stop: current work is being ended";
    }
  };
  return {
    answer: async ({ path, query }: Asked, request, response) => {
      if (path === "/") return givePage(response, page);
      if (path === "/printed") return giveJson(response, printed(query.get("task") ?? ""));
      if (path === "/diff") return giveJson(response, await diff(query.get("key") ?? ""));
      if (path === "/say") return await hear(request, response);
      if (path === "/stream") return stream(response);
      return turnAway(response, 404);
    },
    end: () => {
      gone.abort();
      for (const end of streams) end();
    },
  };
}

/** Build the event. A stop that answers no question cancels the run, since a fleet has no process to end. */
const eventOf = (said: PageWord): PersonEvent =>
  said.word === "stop" && said.task === undefined ? { type: "cancel" } : personEventOf(said);

function wordIn(body: string): PageWord | null {
  try {
    return PageWord.parse(JSON.parse(body), interpreted);
  } catch {
    return null;
  }
}
