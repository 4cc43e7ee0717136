import type { DescribedPlugin } from '../src/server/host/deployment-description.ts';

/** A build: its plugins as the server describes them, and the size of its console in bytes with gzip, up to the sign-in form and in total. */
export interface DescribedBuild {
  readonly plugins: readonly DescribedPlugin[];
  readonly bytes: { readonly first: number; readonly all: number };
}

interface Change<Entry> {
  readonly added: readonly Entry[];
  readonly removed: readonly Entry[];
}

/** Differences between two builds. */
export interface DeploymentPlan extends Change<string> {
  /** Plugin ids in start order. */
  readonly order: readonly string[];
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
  readonly menus: Change<DescribedPlugin['menus'][number]>;
  readonly codes: Change<string>;
  /** Removed plugins whose tables stay in the database. */
  readonly orphaned: readonly string[];
  readonly bytes: DescribedBuild['bytes'];
}

export function planOf(before: DescribedBuild, after: DescribedBuild): DeploymentPlan;
export function linesOf(plan: DeploymentPlan): string[];
