import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginPackages } from '../../platform/packages/plugin-packages.ts';

/** Installs the packages that `npm run admin -- install-plugin` has put into the data directory of this server, and writes an answer beside each. */
export async function installIncoming(dataDirectory: string, packages: Pick<PluginPackages, 'upload' | 'install'>): Promise<void> {
  const folder = join(dataDirectory, 'incoming-packages');
  if (!existsSync(folder)) return;
  for (const name of (await readdir(folder)).filter((one) => one.endsWith('.tgz'))) {
    const path = join(folder, name);
    const answer = await installFile(path, packages);
    await rm(path, { force: true });
    const file = path.replace(/tgz$/, 'json');
    await writeFile(`${file}.part`, JSON.stringify(answer));
    await rename(`${file}.part`, file);
  }
}

async function installFile(path: string, packages: Pick<PluginPackages, 'upload' | 'install'>): Promise<{ isInstalled: boolean; message: string }> {
  try {
    const { digest, id, version, installedVersion } = await packages.upload(await readFile(path));
    await packages.install(digest);
    return { isInstalled: true, message: `The plugin "${id}" runs in version ${version}${installedVersion ? `, ${installedVersion} before` : ''}.` };
  } catch (error) {
    return { isInstalled: false, message: (error as Error).message };
  }
}
