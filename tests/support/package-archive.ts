import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { tarEnd, tarEntry } from '../../src/server/base/tar.ts';

/** Content of a package that a test packs without the build. */
export interface PackedPlugin {
  readonly id: string;
  readonly version?: string;
  /** Source of the server half; without one the package has a console half only. */
  readonly server?: string;
  /** Modules that the server half imports. */
  readonly modules?: readonly string[];
  /** SQL by file name. */
  readonly migrations?: Readonly<Record<string, string>>;
  /** Files of the console half, of which `manifest.json` is one. */
  readonly console?: Readonly<Record<string, string>>;
  readonly key?: KeyObject;
  /** Changes of the version, in the words of its author. */
  readonly changes?: readonly string[];
  /** Ports that the author asks for. */
  readonly ports?: object;
  /** Changes the files after they have been listed. */
  readonly tamper?: (files: Map<string, string>) => void;
}

/** A key that signs packages, and the setting that trusts it. */
export function packageKey(name = 'acme'): { readonly key: KeyObject; readonly setting: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    key: createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    setting: `${name}:${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`,
  };
}

const digestOf = (algorithm: string, text: string, encoding: 'hex' | 'base64') => createHash(algorithm).update(text).digest(encoding);

/** Packs a plugin as `npm run plugin -- build` and `npm pack` do. */
export async function packedPlugin({
  id,
  version = '1.0.0',
  server,
  modules = ['#server'],
  migrations = {},
  console,
  key,
  changes,
  ports,
  tamper,
}: PackedPlugin): Promise<Buffer> {
  const files = new Map<string, string>();
  files.set('package.json', JSON.stringify({ name: `@acme/${id}`, version, description: `About ${id}.`, author: 'Acme', marquee: { ports } }));
  const remote = console?.['manifest.json'];
  const integrity = remote === undefined ? {} : { console: `sha384-${digestOf('sha384', remote, 'base64')}` };
  files.set(
    'dist/live/manifest.json',
    JSON.stringify({ id, version, modules: server === undefined ? [] : modules, server: server !== undefined, changes, ...integrity }),
  );
  if (server !== undefined) files.set('dist/live/server.mjs', server);
  for (const [name, content] of Object.entries(console ?? {})) files.set(`dist/remote/${name}`, content);
  for (const [name, text] of Object.entries(migrations)) files.set(`server/migrations/${name}`, text);
  const list = [...files].map(([name, content]) => `${digestOf('sha256', content, 'hex')}  ${name}\n`).join('');
  files.set('dist/SHA256SUMS', list);
  if (key) files.set('dist/SHA256SUMS.sig', sign(null, Buffer.from(list), key).toString('base64'));
  tamper?.(files);
  const chunks: Uint8Array[] = [];
  for (const [name, content] of files) {
    const bytes = Buffer.from(content);
    for await (const chunk of tarEntry(`package/${name}`, bytes.length, [bytes])) chunks.push(chunk);
  }
  return gzipSync(Buffer.concat([...chunks, tarEnd]));
}
