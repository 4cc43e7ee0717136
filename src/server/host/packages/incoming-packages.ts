import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginPackages } from '../../platform/packages/plugin-packages.ts';

/** Installs the packages that `npm run admin -- install-plugin` has put into the data directory of this server, and writes an answer beside each. */
export async function installIncoming(dataDirectory: string, packages: Pick<PluginPackages, 'upload' | 'install'>): Promise<void> {
  const folder = join(dataDirectory, 'incoming-packages');
  if (!existsSync(folder)) return;
  for (const name of (await readdir(folder)).filter((one) => one.endsWith('.tgz'))) {
    const archive = join(folder, name);
    const [claimed, answer] = ['claimed', 'json'].map((ending) => archive.replace(/tgz$/, ending)) as [string, string];
    // The new name tells the command that a server installs the package, however long that takes. Another server with this directory may be faster.
    const isClaimed = await rename(archive, claimed).then(
      () => true,
      () => false,
    );
    if (!isClaimed) continue;
    const result = await installFile(claimed, packages);
    await writeFile(`${answer}.part`, JSON.stringify(result));
    await rename(`${answer}.part`, answer);
    await rm(claimed, { force: true });
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
