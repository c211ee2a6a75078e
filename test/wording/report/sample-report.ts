import { addressOf } from "../../../src/model/command-line.ts";
import type { Approach } from "../../../src/model/escalation.ts";
import type { StuckReport } from "../../../src/model/stuck-report.ts";

const approach = (level: Approach["level"], strategy: string | null, error: string, task = "1.3"): Approach => ({
  level,
  task,
  strategy,
  error,
});

export const fullReport: StuckReport = {
  at: Date.UTC(2024, 0, 15, 10, 30),
  address: addressOf("signup"),
  task: { id: "1.3", title: "Validate the form", current: "1.3.1" },
  phase: "Phase 1: Make it work",
  done: 2,
  total: 8,
  failures: 10,
  earlier: 0,
  pivots: 3,
  researches: 3,
  races: 3,
  approaches: [
    approach("normal", null, "Too many re-renders"),
    approach("pivot", "useReducer", "Too many re-renders"),
    approach("pivot", "use *refs*", "Lost validation state", "1.3.1"),
    approach("research", "react-hook-form", "Timeout"),
    approach("race", "no library", "Too many re-renders"),
  ],
  findings: ["react-hook-form already in use", "Zod validation patterns exist"],
  fixes: ["1.3.1"],
  repairs: [
    { task: "1.3", directive: { strategy: "retry", adjustment: "use npm ci" } },
    { task: "1.3", directive: { strategy: "escalate", tried: "three forms", decision: "Which library is it to be?" } },
  ],
  stuck: "same-error",
  lastError: "Too many re-renders",
  rejected: null,
  progress: { failing: 2, of: 5, was: 3, change: "moved", lost: ["shows *it*"], gained: ["hides it"], best: 1 },
  failing: ["form.test.ts > keeps the state", "form.test.ts > hides it"],
  sameErrors: 3,
  status: "Blocked, the API key is missing",
  admission: "I don't know how to",
  changed: ["src/form.tsx", "src/lib/user.ts"],
  verify: { command: "npm test", exitCode: 1, output: "3 passing\n2 failing\n" },
  isRerun: true,
  errorLog: "Error in validation test:\n  ✕ should validate\n    Expected: a match\n",
  contextFiles: [
    { name: "State", path: ".ralph-state.json" },
    { name: "Progress", path: ".progress.md" },
  ],
};

export const bareReport: StuckReport = {
  ...fullReport,
  task: { id: "1.3", title: "Validate the form", current: "1.3" },
  phase: null,
  failures: 1,
  pivots: 0,
  researches: 0,
  races: 0,
  approaches: [],
  findings: [],
  fixes: [],
  repairs: [],
  stuck: null,
  lastError: null,
  progress: null,
  failing: [],
  sameErrors: 0,
  status: null,
  admission: null,
  changed: null,
  verify: null,
  errorLog: " \n\u001b[0m\n",
  contextFiles: [],
};
