import type { PluginSource } from '../plugin-sources.mjs';

export function dependenciesOf(plugin: Pick<PluginSource, 'files'>): string[];
export function dependentsOf(ids: readonly string[], plugins: readonly Pick<PluginSource, 'id' | 'files'>[]): string[];
