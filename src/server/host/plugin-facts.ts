import type { LocalizedText } from '#shared/text';
import type { ServerPlugin } from './plugin.ts';

/** A plugin of the deployment, with the contributions that pause while it is disabled. */
export interface PluginFacts {
  readonly plugin: ServerPlugin;
  /** Reason why it does not run on this replica. */
  readonly leftOut: LocalizedText | undefined;
  /** True if it is crash-looping and no longer started. */
  readonly failsEachTime: boolean;
  /** Titles of its job processors. */
  readonly jobs: readonly LocalizedText[];
  /** Number of its interval tasks. */
  readonly rounds: number;
  /** Names of its filters. */
  readonly filters: readonly string[];
  /** Names of the services it provides, and of those it uses. */
  readonly shares: readonly string[];
  readonly takes: readonly string[];
  /** Fields it adds to rows of other plugins, by entity. */
  readonly fields: readonly string[];
  /** Fields of other plugins for which it adds rules. */
  readonly rules: readonly string[];
}
