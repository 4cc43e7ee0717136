import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { modules } from '#deployment/modules';
import { PackageError, type PackageFile } from '../../platform/packages/package-file.ts';
import type { InstalledPlugin, ServerPlugin } from '../plugin-host/plugin.ts';

/** Global from which a server half that was built by itself takes the modules of the product; `scripts/live-package.mjs` writes the same name. */
const provided = globalThis as typeof globalThis & { marqueeModules?: Record<string, object> };

/** Loads the server half of a package; undefined if it has none. Throws a `PackageError` for code that does not fit this deployment. */
export async function loadPackage(file: PackageFile): Promise<InstalledPlugin | undefined> {
  if (!file.server) return undefined;
  await provideModules(file.modules);
  const plugin = await importPlugin(file);
  if (plugin?.id !== file.id) throw errors.noPlugin(file.id);
  return { plugin: { ...plugin, version: file.version, options: file.options }, migrations: file.migrations };
}

async function provideModules(names: readonly string[]): Promise<void> {
  provided.marqueeModules ??= {};
  for (const name of names) {
    const load = Object.hasOwn(modules, name) ? modules[name] : undefined;
    if (!load) throw errors.noModule(name);
    provided.marqueeModules[name] ??= await load();
  }
}

/** Imports the code from a file, which is needed for this moment only. */
async function importPlugin({ id, version, digest, source }: PackageFile): Promise<ServerPlugin | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-plugin-'));
  try {
    const path = join(folder, `${id}-${version}-${digest.slice(0, 12)}.mjs`);
    await writeFile(path, source);
    return ((await import(/* webpackIgnore: true */ pathToFileURL(path).href)) as { readonly default?: ServerPlugin }).default;
  } catch (error) {
    throw errors.failed(error as Error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const errors = {
  noModule: (name: string) =>
    new PackageError([
      `插件包需要 ${name}，本系统未提供：请安装所依赖的插件，或使用相同版本打包`,
      `The package requires ${name}, which this deployment does not have. Install the plugin that it depends on, or build the package with this version.`,
    ]),
  noPlugin: (id: string) => new PackageError([`插件包中没有插件「${id}」`, `The package does not contain the plugin “${id}”.`]),
  failed: (cause: Error) => new PackageError([`插件代码未能加载：${cause.message}`, `The code of the plugin could not be loaded: ${cause.message}`], { cause }),
};
