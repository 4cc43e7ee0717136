import type { PluginEntry } from '../src/shared/manifest.ts';

/** A plugin of a manifest, and which of its files there are. */
export interface PluginSource {
  readonly id: string;
  /** The entry's own word: a name, an absolute path, `npm:` and the folder of a package. */
  readonly use: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly folder: string;
  readonly halves: Readonly<Partial<Record<'console' | 'server' | 'migrations' | 'options', string>>>;
  /** True: there is no such folder; it is left out. */
  readonly missing?: boolean;
  /** Why the build is refused. */
  readonly problem?: string;
}

export function idOf(entry: PluginEntry): string;
export function placed(entry: PluginEntry, from: string): PluginEntry;
export function pluginOf(entry: PluginEntry): PluginSource;
export function pluginFile(id: string, path?: string): string;
export function pluginsOfTree(): string[];
