import type { Campaign } from "./campaign.ts";
import { cheatsCampaign } from "./cheats.ts";
import { contentionCampaign } from "./contention.ts";
import { crashesCampaign } from "./crashes.ts";
import { endsCampaign } from "./ends.ts";
import { evidenceCampaign } from "./evidence.ts";
import { faultsCampaign } from "./faults.ts";
import { fleetCampaign } from "./fleet.ts";
import { handOutCampaign } from "./hand-out.ts";
import { hostileCampaign } from "./hostile.ts";
import { interleavingsCampaign } from "./interleavings.ts";
import { killsCampaign } from "./kills.ts";
import { outputsCampaign } from "./outputs.ts";
import { parsersCampaign } from "./parsers.ts";
import { planEditorCampaign } from "./plan-editor.ts";
import { powerCutsCampaign } from "./power-cuts.ts";
import { pullRequestsCampaign } from "./pull-requests.ts";
import { repositoriesCampaign } from "./repositories.ts";
import { simulationCampaign } from "./simulation.ts";
import { syscallsCampaign } from "./syscalls.ts";
import { tamperingCampaign } from "./tampering.ts";
import { testsCampaign } from "./tests.ts";
import { tortureCampaign } from "./torture.ts";
import { walksCampaign } from "./walks.ts";
import { wordsCampaign } from "./words.ts";
import { worktreesCampaign } from "./worktrees.ts";

export const campaigns: readonly Campaign[] = [
  simulationCampaign,
  pullRequestsCampaign,
  testsCampaign,
  walksCampaign,
  interleavingsCampaign,
  tortureCampaign,
  evidenceCampaign,
  planEditorCampaign,
  outputsCampaign,
  parsersCampaign,
  hostileCampaign,
  crashesCampaign,
  killsCampaign,
  handOutCampaign,
  worktreesCampaign,
  repositoriesCampaign,
  syscallsCampaign,
  powerCutsCampaign,
  tamperingCampaign,
  contentionCampaign,
  endsCampaign,
  cheatsCampaign,
  wordsCampaign,
  faultsCampaign,
  fleetCampaign,
];
