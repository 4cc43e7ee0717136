import type { RemoteListing } from '#shared/remote';
import type { PluginEntry } from '../plugin.ts';

/** The plugins of this console: those of the build, and those from elsewhere, which take the place of one of the build that has their id. */
export function withRemotes(entries: readonly PluginEntry[], remotes: readonly RemoteListing[] = []): readonly PluginEntry[] {
  const ids = new Set(remotes.map(({ id }) => id));
  return [...entries.filter(({ id }) => !ids.has(id)), ...remotes.map(entryOf)];
}

const entryOf = (listing: RemoteListing): PluginEntry => ({
  id: listing.id,
  load: () => import('./load-remote.ts').then(({ loadRemote }) => loadRemote(listing)),
});
