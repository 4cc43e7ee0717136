import type { PluginEntry } from '../src/shared/manifest/manifest.ts';

/** A plugin of a manifest, with the files that it has. */
export interface PluginSource {
  readonly id: string;
  /** Text of the entry: a name, an absolute path, or `npm:` and the folder of a package. */
  readonly use: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly folder: string;
  readonly files: Readonly<Partial<Record<'console' | 'signIn' | 'server' | 'migrations' | 'options', string>>>;
  /** True if the folder does not exist; the plugin is skipped. */
  readonly missing?: boolean;
  /** Reason why the build is refused. */
  readonly problem?: string;
}

export function idOf(entry: PluginEntry): string;
export function withAbsolutePath(entry: PluginEntry, from: string): PluginEntry;
export function pluginOf(entry: PluginEntry): PluginSource;
export function pluginFile(id: string, path?: string): string;
export function pluginsOfTree(): string[];
