import type { PageWord } from "../page-data.ts";
import { byId, make, setAttribute, setText } from "./dom.ts";
import type { Source } from "./source.ts";
import type { Standing } from "./standing.ts";

type Word = PageWord["word"];

/** What each button asks of a run, and the question it answers. */
const buttons: readonly {
  readonly word: Word;
  readonly name: string;
  readonly asks: (standing: Standing) => string;
  readonly isOpen: (standing: Standing) => boolean;
}[] = [
  {
    word: "pause",
    name: "Pause",
    asks: () => "Should nothing more begin?",
    isOpen: ({ running, paused }) => running && !paused,
  },
  {
    word: "resume",
    name: "Resume",
    asks: () => "Should it go on?",
    isOpen: ({ running, paused }) => running && paused,
  },
  {
    word: "stop",
    name: "Stop",
    asks: () => "Should the run end here, to be continued later?",
    isOpen: ({ running }) => running,
  },
  { word: "retry", name: "Retry", asks: about("Should {task} be tried again?"), isOpen: isAsked },
  { word: "skip", name: "Skip", asks: about("Should the run go on without {task}?"), isOpen: isAsked },
];

function isAsked({ running, question }: Standing): boolean {
  return running && question !== null;
}

function about(text: string): (standing: Standing) => string {
  return ({ question }) =>
    question === null ? "Nothing is asked" : text.replace("{task}", question.task ?? "the task");
}

/** Give a person words to say to a live run. */
export function openPerson(speak: NonNullable<Source["say"]>, standingNow: () => Standing): void {
  const place = byId("person");
  place.hidden = false;
  const say = async (word: PageWord): Promise<void> => {
    setText(byId("answer"), "…");
    setText(byId("answer"), await speak(word).catch((error: unknown) => `It was not heard: ${String(error)}`));
  };
  for (const { word, name, isOpen } of buttons) {
    const button = make("button", { type: "button", id: `say-${word}` }, name);
    button.addEventListener("click", () => {
      const standing = standingNow();
      if (!isOpen(standing)) return;
      const task = standing.question?.task ?? null;
      void say({ word, ...(isAsked(standing) && (word === "retry" || word === "skip") && task !== null && { task }) });
    });
    byId("buttons").append(button);
  }
  const guidance = byId<HTMLTextAreaElement>("guidance");
  byId("guide").addEventListener("click", () => {
    const text = guidance.value.trim();
    if (text === "" || !standingNow().running) return;
    void say({ word: "guidance", text }).then(() => {
      guidance.value = "";
    });
  });
}

/** Draw which words would be heard. One that would not says why, and keeps its place for those who use keys. */
export function drawPerson(standing: Standing): void {
  for (const { word, name, asks, isOpen } of buttons) {
    const button = document.getElementById(`say-${word}`);
    if (button === null) continue;
    setAttribute(button, "aria-disabled", String(!isOpen(standing)));
    setAttribute(button, "aria-label", `${name}: ${asks(standing)}`);
    setAttribute(button, "title", asks(standing));
  }
  setAttribute(byId("guide"), "aria-disabled", String(!standing.running));
}
