import type { Moment } from "../moment.ts";
import type { Printed } from "../page-data.ts";
import { ShownRun } from "../shown-run.ts";
import type { TaskRow } from "../task-rows.ts";
import { drawChart, inFocus, openChart } from "./chart.ts";
import { byId, setAttribute, setText } from "./dom.ts";
import { drawHead } from "./head.ts";
import type { Tail } from "./outputs.ts";
import { drawAsked, drawPerson, openPerson } from "./person.ts";
import { type ShownStatus, shownStatus } from "./shown-status.ts";
import { embedded, type Source, served, takeToken } from "./source.ts";
import { drawStory } from "./story.ts";
import { drawTimeline, openTimeline } from "./timeline.ts";
import { drawTree, openTree } from "./tree.ts";

async function show(source: Source): Promise<void> {
  let run: ShownRun | null = null;
  /** A new run while its records are still arriving; null when all records have arrived. */
  let coming: ShownRun | null = null;
  let standing: ShownStatus = { running: false, paused: false, isFleet: false, question: null, told: null };
  let number = 0;
  let task: string | null = null;
  let pinned: string | null = null;
  let tail: Tail | null = null;
  let held: { readonly task: string; readonly printed: readonly Printed[] } | null = null;
  let asked = "";
  let left: readonly string[] = [];
  let isDue = false;
  let isLive = false;

  const draw = (): void => {
    isDue = false;
    if (run === null) return;
    const moment = run.at(number);
    const { rows } = run;
    task = pinned ?? taskAt(run, moment) ?? task;
    const row = rows.find(({ id }) => id === task) ?? rows[0];
    drawTimeline(run, moment);
    drawHead({ run, moment, left, isLive });
    drawTree(run, moment, row?.id ?? null);
    drawChart(moment);
    if (row !== undefined) {
      fetchPrinted(run, row);
      const printed = held?.task === row.id ? held.printed : null;
      drawStory({ run, moment, task: row, printed, tail, source, redraw: draw });
    }
    setAttribute(byId("follow"), "aria-pressed", String(pinned === null));
    drawAsked(standing, number === run.last, source.say !== null);
    if (source.say !== null) drawPerson(standing);
    document.documentElement.dataset["moment"] = String(number);
  };
  /** Draw before the next frame, once for several changes. */
  const drawSoon = (): void => {
    if (isDue || run === null) return;
    isDue = true;
    requestAnimationFrame(draw);
  };
  const fetchPrinted = (shown: ShownRun, { id }: TaskRow): void => {
    const known = source.say === null ? 0 : shown.factsAbout(id, shown.last).length;
    const key = `${id} ${known}`;
    if (asked === key) return;
    asked = key;
    void source.printed(id).then(
      (printed) => {
        if (asked !== key) return;
        held = { task: id, printed };
        drawSoon();
      },
      () => {},
    );
  };
  const begin = (): void => {
    openChart(draw);
    openTree((chosen) => {
      pinned = chosen;
      draw();
      // On a narrow screen the details are above the tree: scroll to them.
      byId("task").scrollIntoView({ block: "nearest" });
    }, drawSoon);
    openTimeline(
      () => run as ShownRun,
      () => number,
      (to) => {
        number = to;
        drawSoon();
      },
    );
    byId("follow").addEventListener("click", () => {
      pinned = pinned === null ? task : null;
      draw();
    });
    if (source.say !== null) openPerson(source.say, () => standing);
    setInterval(() => {
      if (isLive && run !== null && number === run.last) drawHead({ run, moment: run.at(number), left, isLive });
    }, 1000);
    draw();
    document.documentElement.dataset["ready"] = "true";
  };
  /** Apply a change from the server. A page at the latest moment stays at the latest moment. */
  const settle = (told: ShownRun, change: () => void): void => {
    const isLatest = run === null || number === run.last || run.head.run !== told.head.run;
    change();
    if (coming !== null) return;
    standing = shownStatus(told);
    number = isLatest ? told.last : Math.min(number, told.last);
    drawSoon();
  };
  const now = (): ShownRun => (coming ?? run) as ShownRun;

  left = await source.follow({
    begin: () => {
      isLive = true;
      setText(byId("link"), "connected");
    },
    run: (head) => {
      coming = new ShownRun(head);
    },
    start: (start) => now().start(start),
    records: (records) => settle(now(), () => now().add(records)),
    plan: (changed) => settle(now(), () => now().change(changed)),
    work: (atWork) => {
      const told = now();
      told.atWork = atWork;
      const isFirst = run === null;
      settle(told, () => {
        if (coming === null) return;
        const { spec, run: count } = told.head;
        setText(byId("spec"), count === 0 ? spec : `${spec}, run ${count}`);
        run = told;
        coming = null;
        held = null;
        asked = "";
      });
      if (isFirst) begin();
    },
    tail: ({ task, attempt, acts, keep, text }) => {
      tail = { task, attempt, acts, text: `${tail?.text.slice(0, keep) ?? ""}${text}` };
      drawSoon();
    },
    end: () => {
      isLive = false;
      setText(byId("link"), "the server has ended; start fixpoint watch to see the run again");
      standing = { ...standing, running: false };
      drawSoon();
    },
    lost: (error) => {
      isLive = false;
      setText(byId("link"), "connection lost, trying again");
      if (run === null) setText(byId("headline"), `This run cannot be shown: ${error}`);
    },
  });
  draw();
}

/** Find the task of a moment; if the moment has none, the last task before that moment. */
function taskAt(run: ShownRun, moment: Moment): string | null {
  const focus = inFocus(moment)?.task ?? moment.task;
  return focus ?? run.taskBefore(moment.number);
}

function open(): Source {
  if (document.documentElement.dataset["mode"] !== "live") return embedded();
  byId("all").hidden = !location.pathname.startsWith("/runs/");
  return served(takeToken());
}

show(open()).catch((error: unknown) => {
  setText(byId("headline"), `This run cannot be shown: ${String(error)}`);
});
