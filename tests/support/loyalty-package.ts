import { spawnSync } from 'node:child_process';
import { createReadStream, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { RemoteListing } from '../../src/shared/manifest/remote.ts';

const root = join(import.meta.dirname, '../..');
const example = join(root, 'examples/loyalty');

/** The example plugin outside of the source tree, built by its own command and installed in a folder with a manifest that extends the product's. */
export class LoyaltyPackage {
  readonly folder = mkdtempSync(join(tmpdir(), 'marquee-loyalty-'));
  readonly manifest = join(this.folder, 'loyal.manifest.json');
  readonly integrity: string;

  constructor(change: object = {}) {
    const built = runScript('scripts/plugin.mjs', ['build', 'examples/loyalty']);
    this.integrity = /"integrity": "([^"]+)"/.exec(built)?.[1] ?? '';
    mkdirSync(join(this.folder, 'node_modules/@acme'), { recursive: true });
    symlinkSync(example, join(this.folder, 'node_modules/@acme/loyalty'), 'junction');
    writeFileSync(this.manifest, JSON.stringify({ extends: join(root, 'plugins.manifest.json'), with: ['npm:@acme/loyalty'], ...change }));
  }

  /** Builds console and server; returns their folder. */
  build(): string {
    const output = join(root, 'dist/loyalty');
    runScript('scripts/build.mjs', ['--manifest', this.manifest, '--output', output]);
    return output;
  }

  /** Hosts the console half on an origin of its own. */
  async host(): Promise<{ readonly listing: RemoteListing; readonly requestedFiles: string[]; close(): void }> {
    const requestedFiles: string[] = [];
    const server = createServer((request, reply) => {
      const file = basename(request.url ?? '');
      requestedFiles.push(file);
      const type = file.endsWith('.js') ? 'text/javascript' : file.endsWith('.css') ? 'text/css' : 'application/json';
      reply.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' });
      createReadStream(join(example, 'dist/remote', file)).pipe(reply);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const listing = { id: 'loyalty', manifest: `http://127.0.0.1:${port}/loyalty/manifest.json`, integrity: this.integrity };
    return { listing, requestedFiles, close: () => void server.close() };
  }

  discard(): void {
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(join(root, 'dist/loyalty'), { recursive: true, force: true });
  }
}

function runScript(script: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, script), ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) throw new Error(stdout + stderr);
  return stdout;
}
