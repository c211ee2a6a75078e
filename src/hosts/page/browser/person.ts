import { escapeLines, escapeText } from "../../../wording/escape-text.ts";
import type { PageWord } from "../page-data.ts";
import { byId, make, setAttribute, setText } from "./dom.ts";
import type { ShownStatus, Way } from "./shown-status.ts";
import type { Source } from "./source.ts";

type Word = PageWord["word"];

/** `asks` describes the button; with a placeholder such as `{task}`, the button answers a question about that task. */
const buttons: readonly {
  readonly word: Word;
  readonly asks: string;
  readonly asksOfFleet?: string;
  readonly isOpen: (standing: ShownStatus) => boolean;
}[] = [
  { word: "pause", asks: "Pause before the next task?", isOpen: ({ running, paused }) => running && !paused },
  { word: "resume", asks: "Resume the run?", isOpen: ({ running, paused }) => running && paused },
  {
    ...{ word: "stop", asks: "Stop the run now, and resume it later?" },
    asksOfFleet: "Cancel the run? To continue, submit the spec again",
    isOpen: ({ running }) => running,
  },
  { word: "accept", asks: "Accept the changes of {task}?", isOpen: ({ question }) => question?.about === "guard" },
  { word: "retry", asks: "Retry {task}?", isOpen: ({ question }) => question !== null },
  { word: "skip", asks: "Continue without {task}?", isOpen: ({ question }) => question !== null },
  {
    ...{ word: "skip-task", asks: "Continue without {root}?" },
    isOpen: ({ question }) => question !== null && question.task !== question.root && question.about !== "checkpoint",
  },
];
const isAnswer = (asks: string): boolean => asks.includes("{");
const nameOf = (word: Word): string => `${word.charAt(0).toUpperCase()}${word.slice(1).replace("-", " ")}`;

const takesAdvice = (question: ShownStatus["question"]): boolean =>
  question?.about === "blocked" || question?.about === "checkpoint";

export function openPerson(speak: NonNullable<Source["say"]>, standingNow: () => ShownStatus): void {
  const say = async (word: PageWord): Promise<void> => {
    setText(byId("answer"), "…");
    setText(byId("answer"), await speak(word).catch((error: unknown) => `Not sent: ${String(error)}`));
  };
  for (const { word, asks, isOpen } of buttons) {
    const button = make("button", { type: "button", id: `say-${word}` }, nameOf(word));
    button.addEventListener("click", () => {
      const standing = standingNow();
      if (isOpen(standing)) void say({ word, ...(isAnswer(asks) && { task: standing.question?.task }) });
    });
    byId(isAnswer(asks) ? "answers" : "buttons").append(button);
  }
  const guidance = byId<HTMLTextAreaElement>("guidance");
  byId("guide").addEventListener("click", () => {
    const text = guidance.value.trim();
    const { running, question } = standingNow();
    if (text === "" || !running) return;
    void say({ word: "guidance", text, ...(takesAdvice(question) && { task: question?.task }) }).then(() => {
      guidance.value = "";
    });
  });
}

/** Enable the buttons that apply. A disabled button stays focusable, so that keyboard users do not lose their place. */
export function drawPerson(standing: ShownStatus): void {
  const { question, running } = standing;
  // Keep the section visible after the run as long as an answer is shown.
  byId("person").hidden = !running && byId("answer").textContent === "";
  for (const { word, asks, asksOfFleet = asks, isOpen } of buttons) {
    const button = byId(`say-${word}`);
    const text = (standing.isFleet ? asksOfFleet : asks)
      .replace("{task}", question?.task ?? "")
      .replace("{root}", question?.root ?? "");
    button.hidden = isAnswer(asks) && !isOpen(standing);
    setAttribute(button, "aria-disabled", String(!isOpen(standing)));
    setAttribute(button, "aria-label", `${nameOf(word)}: ${text}`);
    setAttribute(button, "title", text);
  }
  setAttribute(byId("guide"), "aria-disabled", String(!running));
  setText(byId("guidance-name"), takesAdvice(question) ? "Your answer" : "Guidance");
}

let drawn = "";

/**
 * Draw the open question or advice in full, with commands to type if no button on this page can answer it.
 *
 * @param isSeen Whether the shown moment is the last one.
 */
export function drawAsked({ running, question, told }: ShownStatus, isSeen: boolean, canSay: boolean): void {
  const panel = byId("asked");
  const key = JSON.stringify([told, question, running, isSeen]);
  if (key === drawn) return;
  drawn = key;
  if (told === null && panel.contains(document.activeElement)) byId("task").focus();
  panel.hidden = told === null || !isSeen;
  if (told === null) return;
  setAttribute(panel, "data-kind", told.isAsked ? "ask" : "quiet");
  setText(byId("question"), escapeLines(told.text));
  const hasButtons = canSay && question !== null;
  const whyNot = running ? "" : "The buttons need a run at work. ";
  const why = `${canSay ? whyNot : "This page is a file. "}In a terminal:`;
  setText(byId("why"), hasButtons || told.ways.length === 0 ? "" : why);
  byId("ways").replaceChildren(...(hasButtons ? [] : told.ways.map(drawWay)));
}

function drawWay({ say, command }: Way): HTMLElement {
  if (command === null) return make("li", { class: "way" }, escapeText(say));
  const copy = make("button", { type: "button" });
  const named = (name: string): void => {
    setText(copy, name);
    setAttribute(copy, "aria-label", `${name}: ${escapeText(say)}`);
  };
  named("Copy");
  const code = make("code", {}, escapeText(command));
  copy.addEventListener("click", () => {
    getSelection()?.selectAllChildren(code);
    // Copy the visible command; if that fails, the user can select it.
    navigator.clipboard.writeText(code.textContent ?? "").then(
      () => named("Copied"),
      () => named("Selected"),
    );
  });
  return make(
    "li",
    { class: "way" },
    make("span", {}, escapeText(say)),
    make("span", { class: "command" }, code, copy),
  );
}
