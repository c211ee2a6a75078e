import { describe, expect, it } from "vitest";
import { growTree, plantTree } from "../../../../src/hosts/cli/reporters/task-tree.ts";
import type { TimedRunEvent } from "../../../../src/model/event.ts";
import {
  askedOperator,
  changeRefused,
  decided,
  delegated,
  delegatedReview,
  ended,
  failed,
  fewer,
  groupEnded,
  groupStarted,
  inserted,
  levelChanged,
  notice,
  passed,
  passedUnverified,
  paused,
  personAsked,
  planChanged,
  planned,
  recovery,
  repairChosen,
  repairRefused,
  resumed,
  reviewed,
  skipped,
  started,
  today,
  waiting,
} from "../sample-events.ts";

const tasks = [
  planned("1.1", "First", { done: true }),
  planned("1.2", "Second"),
  planned("1.2.1", "Planned below"),
  planned("1.3", "Third"),
];
const grow = (events: readonly TimedRunEvent[]) => events.reduce(growTree, plantTree(tasks));
const rowOf = (id: string, events: readonly TimedRunEvent[]): string => {
  const row = grow(events).find((each) => each.id === id);
  return `${row?.state} ${row?.title}: ${row?.note}`;
};
const outline = (events: readonly TimedRunEvent[]) => grow(events).map(({ id, depth }) => `${"-".repeat(depth)}${id}`);

describe("plantTree", () => {
  it("indents fixes below what they repair", () => {
    const rows = plantTree([
      planned("1", "One"),
      planned("1.1", "Fix", { fixOf: "1", done: true }),
      planned("1.1.1", "Fix of fix", { fixOf: "1.1" }),
      planned("2", "Two"),
      planned("3.1", "Fix of nothing", { fixOf: "3" }),
    ]);
    expect(rows.map(({ id, depth, state }) => [id, depth, state])).toEqual([
      ["1", 0, "open"],
      ["1.1", 1, "passed"],
      ["1.1.1", 2, "open"],
      ["2", 0, "open"],
      ["3.1", 0, "open"],
    ]);
  });
});

describe("growTree", () => {
  it("inserts a fix below its task and the fixes that task has", () => {
    const events = [inserted("1.2", "1.2.2", 1), inserted("1.2.2", "1.2.2.1", 1), inserted("1.2", "1.2.3", 2)];
    expect(outline(events)).toEqual(["1.1", "1.2", "-1.2.2", "--1.2.2.1", "-1.2.3", "1.2.1", "1.3"]);
  });

  it("inserts at the end, and a fix only once", () => {
    const events = [inserted("1.3", "1.3.1", 1), inserted("1.3", "1.3.1", 1)];
    expect(outline(events)).toEqual(["1.1", "1.2", "1.2.1", "1.3", "-1.3.1"]);
  });

  it("puts a fix beside the one whose place it takes, and says so there", () => {
    const events = [
      inserted("1.3", "1.3.1", 1),
      delegated("1.3.1", 1, "Fix: boom"),
      failed("1.3.1", "boom"),
      inserted("1.3", "1.3.2", 2, "1.3.1"),
    ];
    expect(outline(events)).toEqual(["1.1", "1.2", "1.2.1", "1.3", "-1.3.1", "-1.3.2"]);
    expect(rowOf("1.3.1", events)).toBe("failed Fix: boom: superseded by 1.3.2");
    expect(rowOf("1.3.2", events)).toBe("open fix of 1.3: ");
  });

  it("shows how many checks fail where that is known, else the error", () => {
    expect(rowOf("1.3", [failed("1.3", "boom", fewer)])).toBe("failed Third: 4 of 6 failing, was 5, progress");
    expect(rowOf("1.3", [failed("1.3", "boom")])).toBe("failed Third: boom");
  });

  it("says what no command has shown", () => {
    expect(rowOf("1.3", [passedUnverified("1.3", 1)])).toBe("passed Third: 1 attempt, unverified");
    expect(rowOf("1.3", [passedUnverified("1.3", 2, "1.3.1")])).toBe("passed Third: 2 attempts, 1 fix, unverified");
  });

  it("follows a task through its attempts", () => {
    const seen = recovery.map((_, index) => {
      const row = grow(recovery.slice(0, index + 1)).find(({ id }) => id === "1.2");
      return `${row?.state} ${row?.note}`.trim();
    });
    expect([...new Set(seen)]).toEqual([
      "open",
      "running attempt 1",
      "failed File not found: src/parser.ts",
      "running attempt 2",
      "failed rejected by checkmarks: checkmark mismatch: expected 1.1, found 1.1, 1.3",
      "running attempt 3",
      "passed 3 attempts, 1 fix",
    ]);
  });

  it("puts the parts of a task behind it and its fixes, and takes it for done", () => {
    const split = [inserted("1.2", "1.2.2", 1), planChanged("1.2", "SPLIT_TASK", "1.2a", "1.2b")];
    expect(outline(split)).toEqual(["1.1", "1.2", "-1.2.2", "1.2a", "1.2b", "1.2.1", "1.3"]);
    expect(rowOf("1.2", split)).toBe("passed Second: split into 1.2a, 1.2b");
    expect(rowOf("1.2a", split)).toBe("open part of 1.2: ");
    const fixSplit = [inserted("1.2", "1.2.2", 1), planChanged("1.2.2", "SPLIT_TASK", "1.2.3")];
    expect(outline(fixSplit)).toEqual(["1.1", "1.2", "-1.2.2", "-1.2.3", "1.2.1", "1.3"]);
  });

  it("puts what a task needs before the task of the planner", () => {
    const needed = [inserted("1.2", "1.2.2", 1), planChanged("1.2.2", "ADD_PREREQUISITE", "1.1a")];
    expect(outline(needed)).toEqual(["1.1", "1.1a", "1.2", "-1.2.2", "1.2.1", "1.3"]);
    expect(rowOf("1.2.2", [...needed.slice(0, 1), delegated("1.2.2", 1), ...needed.slice(1)])).toBe(
      "open Task 1.2.2: after 1.1a",
    );
    expect(rowOf("1.1a", needed)).toBe("open needed for 1.2.2: ");
  });

  it("puts what follows from a task behind the task of the planner", () => {
    const follows = [
      inserted("1.2", "1.2.2", 1),
      delegated("1.2.2", 1),
      planChanged("1.2.2", "ADD_FOLLOWUP", "1.2b"),
      planChanged("1.2.2", "ADD_FOLLOWUP", "1.2b"),
    ];
    expect(outline(follows)).toEqual(["1.1", "1.2", "-1.2.2", "1.2b", "1.2.1", "1.3"]);
    expect(rowOf("1.2.2", follows)).toBe("running Task 1.2.2: attempt 1");
    expect(rowOf("1.2b", follows)).toBe("open follows from 1.2.2: ");
  });

  it("puts tasks that are for an unknown one at an end", () => {
    expect(outline([planChanged("9", "ADD_FOLLOWUP", "10")])).toEqual(["1.1", "1.2", "1.2.1", "1.3", "10"]);
    expect(outline([planChanged("9", "ADD_PREREQUISITE", "8")])).toEqual(["1.1", "1.2", "1.2.1", "1.3", "8"]);
  });

  it("shows several tasks running, and what one of them waits for", () => {
    const batch = [groupStarted("1.2", "1.3"), delegated("1.2", 1), delegated("1.3", 1)];
    expect(rowOf("1.2", batch)).toBe("running Task 1.2: attempt 1");
    expect(rowOf("1.3", batch)).toBe("running Task 1.3: attempt 1");
    const held = [...batch, waiting("1.3", "rate-limit", today(18, 0))];
    expect(rowOf("1.2", held)).toBe("running Task 1.2: attempt 1");
    expect(rowOf("1.3", held)).toBe("waiting Task 1.3: waiting for the rate limit of the executor until 18:00");
    expect(rowOf("1.3", [...held, delegated("1.3", 1)])).toBe("running Task 1.3: attempt 1");
  });

  it("says that a person is waited for", () => {
    expect(rowOf("1.3", [waiting("1.3", "auth", null)])).toBe("waiting Third: waiting for a person (auth)");
  });

  it("follows a review", () => {
    expect(rowOf("1.3", [delegated("1.3", 1), delegatedReview("1.3", 2)])).toBe("running Task 1.3: review 2");
  });

  it("shows how stuck a task is until it is done", () => {
    const climbed = [levelChanged("1.3", "pivot", 1, 3), delegated("1.3", 4, "Third")];
    const levelOf = (events: readonly TimedRunEvent[]) => grow(events).find(({ id }) => id === "1.3")?.level;
    expect(levelOf(climbed)).toBe("pivot 1/3");
    expect(levelOf([...climbed, levelChanged("1.3", "research", 2, 3)])).toBe("research 2/3");
    expect(levelOf([...climbed, levelChanged("1.3", "checkpoint")])).toBe("checkpoint");
    expect(levelOf([...climbed, levelChanged("1.3", "normal")])).toBe("");
    expect(levelOf([...climbed, passed("1.3", 4)])).toBe("");
    expect(levelOf([...climbed, skipped("1.3", "no")])).toBe("");
    const asked = [...climbed, levelChanged("1.3", "checkpoint"), personAsked("1.3", "checkpoint")];
    expect(levelOf(asked)).toBe("");
    expect(rowOf("1.3", asked)).toBe("waiting Third: checkpoint: waiting for a person");
  });

  it("follows a repair", () => {
    const asked = [delegated("1.3", 1, "Third"), askedOperator("1.3", 2, "Third")];
    expect(rowOf("1.3", asked)).toBe("running Third: repair operator, round 2");
    expect(rowOf("1.3", [...asked, repairChosen("1.3", "retry", "x")])).toBe("running Third: repair: retry");
    const gate = [...asked, repairChosen("1.3", "escalate", ""), personAsked("1.3", "repair")];
    expect(rowOf("1.3", gate)).toBe("waiting Third: waiting for a person: retry, skip or stop");
    expect(rowOf("1.3", [...gate, skipped("1.3", "not needed")])).toBe("skipped Third: not needed");
    expect(rowOf("1.3", [personAsked("1.3", "blocked", "Which key?")])).toBe(
      "waiting Third: waiting for a person: its executor asks",
    );
    expect(rowOf("1.3", [personAsked("1.3", "environment", "no space")])).toBe(
      "waiting Third: waiting for a person: the environment fails it",
    );
  });

  it("shows the parts of a task below it until it is done", () => {
    const split = [
      repairChosen("1.2", "decompose", "a | b"),
      delegated("1.2~1", 1, "First part"),
      passed("1.2~1", 1),
      delegated("1.2~2", 1, "Second part"),
      delegated("1.2~2", 2, "Second part"),
    ];
    expect(outline(split)).toEqual(["1.1", "1.2", "-1.2~1", "-1.2~2", "1.2.1", "1.3"]);
    expect(rowOf("1.2~1", split)).toBe("passed First part: 1 attempt");
    expect(rowOf("1.2~2", split)).toBe("running Second part: attempt 2");
    const deeper = [...split, repairChosen("1.2~2", "decompose", "c | d"), delegated("1.2~2~1", 1)];
    expect(outline(deeper)).toEqual(["1.1", "1.2", "-1.2~1", "-1.2~2", "--1.2~2~1", "1.2.1", "1.3"]);
    const whole = ["1.1", "1.2", "1.2.1", "1.3"];
    expect(outline([...deeper, passed("1.2~2", 3)])).toEqual(["1.1", "1.2", "-1.2~1", "-1.2~2", "1.2.1", "1.3"]);
    expect(outline([...deeper, passed("1.2", 2)])).toEqual(whole);
    expect(outline([...deeper, skipped("1.2", "no")])).toEqual(whole);
    expect(outline([...deeper, repairChosen("1.2", "decompose", "e | f")])).toEqual(whole);
    expect(outline([...deeper, ended({ outcome: "interrupted" })])).toHaveLength(7);
  });

  it("shows at the end what an earlier start has left out", () => {
    const states = grow([ended({ outcome: "skipped", skipped: ["1.3", "1.1"] })]).map(({ id, state }) => [id, state]);
    expect(states).toEqual([
      ["1.1", "passed"],
      ["1.2", "open"],
      ["1.2.1", "open"],
      ["1.3", "skipped"],
    ]);
  });

  it("leaves nothing running or waiting at the end", () => {
    const still = [delegated("1.2", 1), waiting("1.3", "rate-limit", today(18, 0))];
    expect(grow([...still, ended()]).map(({ state }) => state)).toEqual(["passed", "open", "open", "open"]);
  });

  it("is not changed by what changes no task", () => {
    const said = [started(), notice("x"), groupStarted("1.2"), groupEnded("1.2")];
    said.push(decided("1.2"), repairRefused("1.2", "no"), paused, resumed);
    expect(grow([...said, reviewed("1.2", true, ""), changeRefused("1.2", "no")])).toEqual(plantTree(tasks));
  });
});
