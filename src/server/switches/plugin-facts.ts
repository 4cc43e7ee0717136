import type { Words } from '#shared/text';
import type { ServerPlugin } from '../plugin.ts';

/** A plugin of the deployment, and what is at rest while it is off. */
export interface PluginFacts {
  readonly plugin: ServerPlugin;
  /** Why it does not run, on this replica. */
  readonly leftOut: Words | undefined;
  /** It is not even tried any more, for it failed at each start. */
  readonly failsEachTime: boolean;
  /** What jobs by it do. */
  readonly jobs: readonly Words[];
  /** How many things it does every so often. */
  readonly rounds: number;
  /** What it has its say before. */
  readonly filters: readonly string[];
  /** Names of the services it shares with others, and of those it has taken of them. */
  readonly shares: readonly string[];
  readonly takes: readonly string[];
  /** Fields it adds to rows of others, by their entity. */
  readonly fields: readonly string[];
  /** Fields of others it asks more of than they do. */
  readonly rules: readonly string[];
}
