import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@rstest/core';
import { installIncoming } from '../../../../src/server/host/packages/incoming-packages.ts';

describe('packages that the admin command hands to a running server', () => {
  let dataDirectory: string;
  let folder: string;

  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'incoming-'));
    folder = join(dataDirectory, 'incoming-packages');
    await mkdir(folder);
    await writeFile(join(folder, 'one.tgz'), 'an archive');
  });
  afterEach(() => rm(dataDirectory, { recursive: true }));

  test('are claimed before they are installed, so that the command knows of a slow installation', async () => {
    let filesDuringInstallation: string[] = [];
    await installIncoming(
      dataDirectory,
      packagesThat(async () => (filesDuringInstallation = await readdir(folder))),
    );

    expect(filesDuringInstallation).toEqual(['one.claimed']);
    expect(await readdir(folder)).toEqual(['one.json']);
    expect(JSON.parse(await readFile(join(folder, 'one.json'), 'utf8'))).toEqual({
      isInstalled: true,
      message: 'The plugin "bell" runs in version 1.1.0, 1.0.0 before.',
    });
  });

  test('are installed once by two servers with one data directory', async () => {
    let installations = 0;
    const packages = packagesThat(async () => void installations++);
    await Promise.all([installIncoming(dataDirectory, packages), installIncoming(dataDirectory, packages)]);

    expect(installations).toBe(1);
  });
});

function packagesThat(install: () => Promise<unknown>): Parameters<typeof installIncoming>[1] {
  return {
    upload: () => Promise.resolve({ digest: 'd', id: 'bell', version: '1.1.0', installedVersion: '1.0.0' }),
    install,
  } as never;
}
