import type { TSchema } from 'typebox';
import type { PluginSource } from './plugin-sources.mjs';

/** Options with their defaults: all of them, and those that a browser may know. */
export interface SettledOptions {
  readonly all: Readonly<Record<string, unknown>>;
  readonly console: Readonly<Record<string, unknown>>;
}

export function settledOptions(plugins: readonly PluginSource[]): Promise<{ settled: ReadonlyMap<string, SettledOptions>; problems: string[] }>;
export function optionSchemas(plugins: readonly PluginSource[]): Promise<ReadonlyMap<string, TSchema>>;
