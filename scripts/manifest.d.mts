import type { ManifestFile } from '../src/shared/manifest/manifest.ts';

/** A manifest merged with those that it extends, not validated yet. */
export interface ReadManifest {
  readonly manifest: ManifestFile;
  /** The requested file, followed by those it extends. */
  readonly files: readonly string[];
}

export function manifestPath(): string;
export function readManifestFile(path?: string): ReadManifest;
export function problemsOf(manifest: object): Promise<string[]>;
