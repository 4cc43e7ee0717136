import type { DescribedPlugin } from '../src/server/deployment-description.ts';

/** A build: its plugins as its server describes them, and the bytes of its console compressed with gzip, until the sign-in form and in all. */
export interface DescribedBuild {
  readonly plugins: readonly DescribedPlugin[];
  readonly bytes: { readonly first: number; readonly all: number };
}

interface Change<Entry> {
  readonly added: readonly Entry[];
  readonly removed: readonly Entry[];
}

/** What differs between two builds. */
export interface DeploymentPlan extends Change<string> {
  /** Ids in the order in which they would start. */
  readonly order: readonly string[];
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
  readonly menus: Change<DescribedPlugin['menus'][number]>;
  readonly codes: Change<string>;
  /** Plugins whose tables stay without them. */
  readonly orphaned: readonly string[];
  readonly bytes: DescribedBuild['bytes'];
}

export function planOf(before: DescribedBuild, after: DescribedBuild): DeploymentPlan;
export function linesOf(plan: DeploymentPlan): string[];
