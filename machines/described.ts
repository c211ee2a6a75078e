/** Descriptions of all charts and of their states, for docs/machines.md and the diagrams. */
const descriptions = {
  task: {
    "": "One planned task, from its first delegation to a settled outcome, with all fixes made for it.",
    delegating: "The executor works on the current task: the planned one, or a fix or a part below it.",
    changingPlan: "The executor asks for other tasks: they are checked and written into the plan.",
    verifying: "The claim is checked layer by layer: signal, contradiction, checkmarks, commit, Verify.",
    reviewing: "A reviewer checks the work; a finding in the code leads to a fix task.",
    parsing: "The failure is read from the output of the executor, Verify or the reviewer.",
    waiting: "The executor cannot work now: the run waits for the end of a limit, for the network, or for a person.",
    checkingLimit: "The first remedy of the ladder with budget left is chosen, if there is one.",
    insertingFix:
      "A fix task is written into the plan: below the task that failed, or in place of one that did not help.",
    repairing: "A repair operator chooses: retry the task, split it, skip it, or ask a person.",
    repairingAgain:
      "The operator's answer could not be followed: the operator gets the reason, and is asked once more.",
    betweenParts: "A part of a decomposed task is done; the next part follows, until all parts are done.",
    assembling: "All parts are done: their claims are combined, and the whole task is checked.",
    pivoting: "Stuck: the next attempt is asked for a different approach.",
    researching: "Different approaches did not help: the next attempt gathers context first.",
    reporting: "Nothing is left to try: a report is written for a person.",
    atCheckpoint: "Stuck, with a report: a person gives guidance, decides, or leaves the run stopped.",
    askingPerson:
      "A person decides: the task could not be repaired, its executor has a question, or the environment has a problem.",
    skipping: "The task, or a part or a fix of it, is skipped, with the reason in the summary; its box stays open.",
    recordingPass: "The accepted task is ticked in the plan and written into the progress log.",
    passed: "The planned task is done, and every fix below it.",
    replanned: "Other tasks of the plan come first now.",
    pruned: "The planned task is skipped, and the run continues without it.",
    exhausted: "A limit allows no further attempt.",
    checkpoint: "The run stops with the report; a person resumes it.",
    gated: "Only a person can decide how to continue.",
    cancelled: "The run was told to abandon this task.",
  },
  batch: {
    "": "Tasks that may run in any order and in parallel, each with its fixes.",
    working: "Task machines work in parallel; those that change the same files wait for each other.",
    merging: "The logs of the members are merged into the spec's log, in plan order.",
    settled: "Every member has its outcome.",
  },
  pullRequest: {
    "": "The pull request of a branch: pushed, opened and watched until it is confirmed or needs a task.",
    pushing: "The files of the spec are committed if the policy says so, and the branch is pushed.",
    adopting: "Someone else has pushed: the local branch is fast-forwarded if possible.",
    opening: "The pull request of the branch is found or opened.",
    watching: "A look at checks, threads and heads decides the next step.",
    waiting: "Checks run, or the forge computes mergeability; the wait ends when a look finds a change.",
    resting: "The forge or the remote is unavailable until a time.",
    rerunning: "A red check is rerun once before it counts.",
    updating: "The base has moved, which blocks a merge: the forge merges it into the branch.",
    adding: "A task for a red check, a review thread or a conflict is written into the plan.",
    answering: "A review thread is answered with what was done about it.",
    confirming: "The final check runs; then the pull request and the local branch are checked once more.",
    more: "A task was added: it is done like any other, and the branch is pushed again.",
    ready: "Everything is green and confirmed at the head of the branch.",
    merged: "Someone has merged it.",
    exhausted: "A limit of the pull request is reached.",
    gated: "Only a person can decide how to continue.",
    cancelled: "The run was told to abandon the pull request.",
  },
  spec: {
    "": "Carries out one plan, task after task, until none is open or there is a reason to stop.",
    choosing: "The first open task, or the batch that starts with it, is chosen, with the place to resume.",
    checking: "The project check runs for all tasks since its last run.",
    working: "The task machine brings the chosen task to an outcome.",
    workingOnBatch: "Parallel tasks are brought to their outcomes.",
    shipping: "No task is left: a pull request is opened for the branch, and watched.",
    choosingCleanup: "A limit stops the run; an open cleanup task is chosen first.",
    cleaning: "A cleanup task runs once, and stays open for the resumed run.",
    confirming: "Before the run is complete, the whole plan is checked again, and the final check runs.",
    complete: "Every task is ticked and accounted for.",
    skipped: "Every task is ticked and accounted for, except those that were skipped.",
    limited: "A task is exhausted: the limit and the task are named.",
    gated: "Only a person can decide how to continue.",
    checkpoint: "A task is stuck: a report was written, and a person resumes the run.",
    cancelled: "The run was told to abandon the plan.",
  },
} as const;

export function described<const States extends object>(id: keyof typeof descriptions, states: States) {
  const { "": description, ...texts } = descriptions[id];
  const named = Object.entries(states).map(([name, state]) => [
    name,
    { description: (texts as Readonly<Record<string, string>>)[name], ...state },
  ]);
  return { id, description, states: Object.fromEntries(named) as States };
}
