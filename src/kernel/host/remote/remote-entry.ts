import type { RemoteListing } from '#shared/remote';
import type { PluginEntry } from '../plugin/plugin.ts';
import { RemotePluginError } from '../plugin/plugin-state.ts';

type FetchLoader = () => Promise<{ readonly loadRemote: (listing: RemoteListing) => ReturnType<PluginEntry['load']> }>;

/** Combines the plugins of the build with remote ones; a remote plugin replaces one of the build with the same id. */
export function withRemotes(entries: readonly PluginEntry[], remotes: readonly RemoteListing[] = [], fetchLoader?: FetchLoader): readonly PluginEntry[] {
  const ids = new Set(remotes.map(({ id }) => id));
  return [...entries.filter(({ id }) => !ids.has(id)), ...remotes.map((listing) => entryOf(listing, fetchLoader))];
}

const entryOf = (listing: RemoteListing, fetchLoader?: FetchLoader): PluginEntry => ({
  id: listing.id,
  load: async () => {
    if (!fetchLoader) throw new RemotePluginError(remotesDisabled);
    return (await fetchLoader()).loadRemote(listing);
  },
});

const remotesDisabled = [
  '本控制台构建时未启用远程插件：请在清单中写入 "remotes": []',
  'This console was built without remote plugins. Add "remotes": [] to its manifest.',
] as const;
