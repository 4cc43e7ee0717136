import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Rspack, rspack } from '@rsbuild/core';

/** Modules of a build whose text is generated. */
export interface GeneratedModules {
  /** Plugin of the bundler that provides them, if it needs one. */
  readonly plugin: Rspack.RspackPluginInstance | undefined;
  /** Changes the text of a module; a watching build follows. */
  write(file: string, text: string): void;
}

/**
 * Provides modules by their paths: in memory, so that no generated file stands among the sources; or on disk where this project is an installed package, because the
 * bundler looks for modules below `node_modules` on the disk only.
 */
export function generatedModules(texts: Readonly<Record<string, string>>): GeneratedModules {
  const isPackage = Object.keys(texts).some((file) => /[\\/]node_modules[\\/]/.test(file));
  const virtual = isPackage ? undefined : new rspack.experiments.VirtualModulesPlugin(texts);
  const write = (file: string, text: string) => {
    if (virtual) return virtual.writeModule(file, text);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  if (isPackage) for (const [file, text] of Object.entries(texts)) write(file, text);
  return { plugin: virtual, write };
}
