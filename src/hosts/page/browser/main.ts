import type { Recording, Standing, TaskRow, TaskStory } from "../../../model/frame.ts";
import { drawChart, inFocus, openChart } from "./chart.ts";
import { byId, setAttribute, setText } from "./dom.ts";
import { Film } from "./film.ts";
import { drawHead } from "./head.ts";
import { drawPerson, openPerson } from "./person.ts";
import { embedded, type Source, served, type Tail } from "./source.ts";
import { drawStory } from "./story.ts";
import { takeToken } from "./take-token.ts";
import { drawTimeline, openTimeline } from "./timeline.ts";
import { drawTree, openTree } from "./tree.ts";

/** Show a run. */
async function show(source: Source): Promise<void> {
  let recording = await source.load();
  let film = new Film(recording);
  let standing: Standing = recording.standing;
  let frame = film.last;
  let pinned: string | null = null;
  let tail: Tail | null = null;
  let held: { readonly task: string; readonly frames: number; readonly story: TaskStory | null } | null = null;
  let asked = "";
  let isDue = false;

  const rowAt = (): TaskRow | undefined => {
    const at = pinned ?? taskNow(film, frame);
    return film.rows.find(({ id }) => id === at) ?? film.rows[0];
  };
  const draw = (): void => {
    isDue = false;
    const now = film.frames[frame];
    const row = rowAt();
    drawTimeline(film, frame);
    drawHead(film, frame, recording, standing);
    drawTree(film, frame, row?.id ?? null);
    if (now !== undefined) drawChart(now);
    if (row !== undefined) {
      fetchStory(row.id);
      drawStory({ film, frame, task: row, story: held?.task === row.id ? held.story : null, tail, redraw: draw });
    }
    setAttribute(byId("follow"), "aria-pressed", String(pinned === null));
    if (source.live !== null) drawPerson(standing);
    document.documentElement.dataset["frame"] = String(frame);
  };
  /** Once before the next picture, however much has happened by then. */
  const drawSoon = (): void => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(draw);
  };
  const fetchStory = (task: string): void => {
    const isKnown = held?.task === task && (source.live === null || held.frames === film.frames.length);
    const key = `${task} ${source.live === null ? 0 : film.frames.length}`;
    if (isKnown || asked === key) return;
    asked = key;
    const frames = film.frames.length;
    void source.story(task).then(
      (story) => {
        if (asked !== key) return;
        held = { task, frames, story };
        drawSoon();
      },
      () => {},
    );
  };
  const go = (to: number): void => {
    frame = to;
    drawSoon();
  };

  const name = (): void => setText(byId("spec"), `${recording.spec}, run ${recording.run}`);
  name();
  document.title = `${recording.spec} - fixpoint`;
  openChart(draw);
  openTree((task) => {
    pinned = task;
    draw();
  }, drawSoon);
  openTimeline(
    () => film,
    () => frame,
    go,
  );
  byId("follow").addEventListener("click", () => {
    pinned = pinned === null ? (rowAt()?.id ?? null) : null;
    draw();
  });
  draw();
  document.documentElement.dataset["ready"] = "true";
  if (source.live === null) return;
  openPerson(source.live, () => standing);
  draw();
  const add = (more: Parameters<Film["take"]>[0]): void => {
    const isLatest = frame === film.last;
    film.take(more);
    if (isLatest) frame = film.last;
    drawSoon();
  };
  const seen = (): { run: number; frames: number } => ({ run: recording.run, frames: film.frames.length });
  const heard: Parameters<typeof source.live.follow>[0] = {
    begin: () => setText(byId("link"), "live"),
    frames: add,
    standing: (now) => {
      standing = now;
      drawSoon();
    },
    tail: ({ task, attempt, keep, text }) => {
      tail = { task, attempt, text: `${tail?.text.slice(0, keep) ?? ""}${text}` };
      drawSoon();
    },
    again: (whole: Recording) => {
      const isLatest = frame === film.last || recording.run !== whole.run;
      recording = whole;
      standing = whole.standing;
      film = new Film(whole);
      held = null;
      frame = isLatest ? film.last : Math.min(frame, film.last);
      name();
      drawSoon();
    },
    end: () => {
      setText(byId("link"), "nothing more will come; fixpoint watch shows it again");
      standing = { ...standing, running: false };
      drawSoon();
    },
    lost: () => setText(byId("link"), "connection lost, trying again"),
  };
  await source.live.follow(heard, seen);
}

/** The task that a frame is about; where it is about none, the last before it. */
function taskNow(film: Film, frame: number): string | null {
  for (let index = frame; index >= 0 && index > frame - 200; index -= 1) {
    const now = film.frames[index];
    const task = now === undefined ? null : (inFocus(now)?.task ?? now.task);
    if (task !== null) return task;
  }
  return null;
}

function open(): Source {
  if (document.documentElement.dataset["mode"] !== "live") return embedded();
  byId("all").hidden = !location.pathname.startsWith("/runs/");
  return served(takeToken());
}

show(open()).catch((error: unknown) => {
  setText(byId("headline"), `This run cannot be shown: ${String(error)}`);
});
