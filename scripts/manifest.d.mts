import type { ManifestFile } from '../src/shared/manifest.ts';

/** What a manifest says once all it extends is put in; nobody has judged it yet. */
export interface ReadManifest {
  readonly manifest: ManifestFile;
  /** The file that was asked for, then those it extends. */
  readonly files: readonly string[];
}

export function manifestPath(): string;
export function readManifestFile(path?: string): ReadManifest;
export function problemsOf(manifest: object): Promise<string[]>;
