import { byId, setAttribute, setText } from "./dom.ts";
import type { Film } from "./film.ts";
import { moment } from "./words.ts";

/** Milliseconds between two steps that are played. */
const beat = 220;

let playing: ReturnType<typeof setInterval> | null = null;
let marked = "";

/** Have the moment chosen by scrubber, buttons and keys. @param go Called with the number of a frame. */
export function openTimeline(filmNow: () => Film, frameNow: () => number, go: (frame: number) => void): void {
  const to = (frame: number): void => go(Math.min(filmNow().last, Math.max(0, frame)));
  const scrubber = byId<HTMLInputElement>("scrubber");
  scrubber.addEventListener("input", () => to(Number(scrubber.value)));
  scrubber.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (by === 0 || !event.shiftKey) return;
    event.preventDefault();
    to(filmNow().turnFrom(frameNow(), by));
  });
  const press = (id: string, act: () => void): void => byId(id).addEventListener("click", act);
  press("first", () => to(0));
  press("turn-back", () => to(filmNow().turnFrom(frameNow(), -1)));
  press("back", () => to(frameNow() - 1));
  press("on", () => to(frameNow() + 1));
  press("turn-on", () => to(filmNow().turnFrom(frameNow(), 1)));
  press("latest", () => to(filmNow().last));
  press("failure", () =>
    to(filmNow().failures.find((frame) => frame > frameNow()) ?? filmNow().failures[0] ?? frameNow()),
  );
  press("play", () => {
    if (playing !== null) return stop();
    if (frameNow() === filmNow().last) to(0);
    playing = setInterval(() => {
      if (frameNow() >= filmNow().last) stop();
      else to(frameNow() + 1);
    }, beat);
    setText(byId("play"), "Stop");
  });
  addEventListener("resize", () => {
    marked = "";
    drawTimeline(filmNow(), frameNow());
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    marked = "";
    drawTimeline(filmNow(), frameNow());
  });
}

function stop(): void {
  if (playing !== null) clearInterval(playing);
  playing = null;
  setText(byId("play"), "Play");
}

export function drawTimeline(film: Film, frame: number): void {
  const scrubber = byId<HTMLInputElement>("scrubber");
  setAttribute(scrubber, "max", String(film.last));
  if (scrubber.valueAsNumber !== frame) scrubber.value = String(frame);
  const { at, cause, task, attempt } = film.frames[frame] ?? { at: 0, cause: "", task: null, attempt: null };
  const about = task === null ? "" : ` ${task}${attempt === null ? "" : ` attempt ${attempt}`}`;
  const told = `Step ${frame + 1} of ${film.frames.length}, ${moment(at)}: ${cause}${about}`;
  setText(byId("moment"), told);
  setAttribute(scrubber, "aria-valuetext", told);
  drawMarks(film);
}

/** Where something failed and where a person was asked, along the scrubber. */
function drawMarks(film: Film): void {
  const canvas = byId<HTMLCanvasElement>("marks");
  const width = Math.max(1, canvas.clientWidth);
  const key = `${width} ${film.frames.length}`;
  if (key === marked) return;
  marked = key;
  const scale = devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = 10 * scale;
  const pen = canvas.getContext("2d");
  if (pen === null) return;
  const style = getComputedStyle(document.documentElement);
  const draw = (frames: readonly number[], colour: string, top: number, height: number): void => {
    pen.fillStyle = style.getPropertyValue(colour);
    for (const frame of frames) {
      // The knob of a scrubber does not reach its ends.
      const x = 8 + ((width - 16) * frame) / Math.max(1, film.last);
      pen.fillRect((x - 1) * scale, top * scale, 2 * scale, height * scale);
    }
  };
  if (film.turns.length < width / 4) draw(film.turns, "--line", 6, 4);
  draw(film.failures, "--bad", 0, 10);
  draw(film.questions, "--ask", 0, 10);
}
