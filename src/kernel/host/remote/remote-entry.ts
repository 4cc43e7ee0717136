import type { RemoteListing } from '#shared/remote';
import type { LoadablePlugin } from '../plugin/plugin.ts';

/** Combines the plugins of the build with remote ones, whose loader is fetched with the first of them; a remote plugin replaces one of the build with the same id. */
export function withRemotes(entries: readonly LoadablePlugin[], remotes: readonly RemoteListing[] = []): readonly LoadablePlugin[] {
  const ids = new Set(remotes.map(({ id }) => id));
  return [...entries.filter(({ id }) => !ids.has(id)), ...remotes.map(entryOf)];
}

const entryOf = (listing: RemoteListing): LoadablePlugin => ({
  id: listing.id,
  load: async () => (await import(/* webpackChunkName: "shared" */ './load-remote.ts')).loadRemote(listing),
});
