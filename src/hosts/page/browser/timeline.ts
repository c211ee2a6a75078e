import type { Moment } from "../moment.ts";
import type { ShownRun } from "../shown-run.ts";
import { byId, setAttribute, setText } from "./dom.ts";
import { timeAt } from "./words.ts";

let marked = "";

/** Let the user choose a moment with the slider, buttons and keys. @param go Called with the number of the moment. */
export function openTimeline(runNow: () => ShownRun, momentNow: () => number, go: (moment: number) => void): void {
  const to = (moment: number): void => go(Math.min(runNow().last, Math.max(0, moment)));
  const scrubber = byId<HTMLInputElement>("scrubber");
  scrubber.addEventListener("input", () => to(Number(scrubber.value)));
  scrubber.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (by === 0 || !event.shiftKey) return;
    event.preventDefault();
    to(runNow().turnFrom(momentNow(), by));
  });
  const press = (id: string, act: () => void): void => byId(id).addEventListener("click", act);
  press("back", () => to(momentNow() - 1));
  press("on", () => to(momentNow() + 1));
  press("latest", () => to(runNow().last));
  press("failure", () =>
    to(runNow().failures.find((moment) => moment > momentNow()) ?? runNow().failures[0] ?? momentNow()),
  );
  const markAnew = (): void => {
    marked = "";
    drawMarks(runNow());
  };
  addEventListener("resize", markAnew);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", markAnew);
}

export function drawTimeline(run: ShownRun, { number, at, cause, task, attempt }: Moment): void {
  const scrubber = byId<HTMLInputElement>("scrubber");
  setAttribute(scrubber, "max", String(run.last));
  if (scrubber.valueAsNumber !== number) scrubber.value = String(number);
  const about = task === null ? "" : ` ${task}${attempt === null ? "" : ` attempt ${attempt}`}`;
  const told =
    number === 0 ? "Before the first step" : `Step ${number} of ${run.last}, ${timeAt(at)}: ${cause}${about}`;
  setText(byId("moment"), told);
  setAttribute(scrubber, "aria-valuetext", told);
  drawMarks(run);
}

function drawMarks(run: ShownRun): void {
  const canvas = byId<HTMLCanvasElement>("marks");
  const width = Math.max(1, canvas.clientWidth);
  const key = `${width} ${run.last}`;
  if (key === marked) return;
  marked = key;
  const scale = devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = 10 * scale;
  const pen = canvas.getContext("2d");
  if (pen === null) return;
  const draw = (moments: readonly number[], colour: string, top: number, height: number): void => {
    canvas.style.color = `var(${colour})`;
    pen.fillStyle = getComputedStyle(canvas).color;
    for (const moment of moments) {
      // The knob of a slider does not reach the ends of the slider.
      const x = 8 + ((width - 16) * moment) / Math.max(1, run.last);
      pen.fillRect((x - 1) * scale, top * scale, 2 * scale, height * scale);
    }
  };
  if (run.turns.length < width / 4) draw(run.turns, "--line", 6, 4);
  draw(run.failures, "--bad", 0, 10);
  const questions = run.questions.map(({ moment }) => moment);
  draw(questions, "--ask", 0, 10);
}
