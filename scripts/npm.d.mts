import type { SpawnSyncOptions, SpawnSyncReturns } from 'node:child_process';

export function npmCommand(environment?: Readonly<Record<string, string | undefined>>): [string, ...string[]];
export function npmFailure(output: string, ending: string | number): string;
export function spawnNpm(args: readonly string[], options: SpawnSyncOptions): SpawnSyncReturns<string>;
