import { createHash, type KeyObject, verify } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Static } from 'typebox';
import * as Type from 'typebox';
import Schema from 'typebox/schema';
import type { LocalizedText } from '#shared/text';
import { DamagedArchiveError, readTar } from '../../base/tar.ts';

/** Maximum size of a package, compressed and unpacked. */
export const maxPackageBytes = { compressed: 16 * 2 ** 20, unpacked: 64 * 2 ** 20 } as const;

/** Describes the halves of a package, as `npm run plugin -- build` writes it to `dist/live/manifest.json`. */
const LiveManifest = Type.Object({
  id: Type.String({ pattern: '^[a-z][a-z0-9-]{0,63}$' }),
  version: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+', maxLength: 64 }),
  /** Modules of the product that the server half imports. */
  modules: Type.Array(Type.String()),
  /** Digest of the manifest of the console half; absent without one. */
  console: Type.Optional(Type.String({ pattern: '^sha384-' })),
  /** False without a server half. */
  server: Type.Boolean(),
  /** Changes of this version, in the words of its author. */
  changes: Type.Optional(Type.Array(Type.String({ maxLength: 300 }), { maxItems: 50 })),
});

/** Ports of the server that the author of a contained plugin asks for in `marquee.ports` of `package.json`. Installing the package grants them. */
const PackagePorts = Type.Object(
  {
    /** True to deliver notifications to users. */
    inbox: Type.Optional(Type.Boolean()),
    /** Origins to which it sends requests, such as `https://api.example.com`. */
    egress: Type.Optional(Type.Array(Type.String({ pattern: '^https?://[a-z0-9.-]+(:\\d{1,5})?$', maxLength: 255 }), { maxItems: 20 })),
  },
  { additionalProperties: false },
);
export type PackagePorts = Static<typeof PackagePorts>;

/** A package of a plugin that was read, and whose files match the list of its build. */
export interface PackageFile extends Static<typeof LiveManifest> {
  /** SHA-256 of the archive. */
  readonly digest: string;
  /** Name of the package; description and author as its `package.json` states them. */
  readonly name: string;
  readonly description: string;
  readonly author: string;
  readonly ports: PackagePorts;
  /** Source of the server half; '' without one. */
  readonly source: string;
  /** Files of the console half by name. */
  readonly consoleFiles: ReadonlyMap<string, Buffer>;
  /** SQL by file name. */
  readonly migrations: Readonly<Record<string, string>>;
  /** Default values of the options that it declares. */
  readonly options: Readonly<Record<string, unknown>>;
  /** List of the files with their digests, and its signature. */
  readonly list: Buffer;
  readonly signature: Buffer | undefined;
}

/** Thrown for a package that cannot be used; the message is in both languages. */
export class PackageError extends Error {
  override readonly name = 'PackageError';

  constructor(
    readonly text: LocalizedText,
    options?: ErrorOptions,
  ) {
    super(text[1], options);
  }
}

const usedFilePattern = /^(package\.json|dist\/(live|remote)\/.+|dist\/options\.json|server\/migrations\/[^/]+\.sql)$/;
const listName = 'dist/SHA256SUMS';

/** Reads a package as `npm pack` makes it; throws a `PackageError` for one that is damaged, incomplete or changed after its build. */
export async function readPackage(archive: Buffer): Promise<PackageFile> {
  const files = await unpack(archive);
  const list = files.get(listName);
  const manifest = jsonOf(files.get('dist/live/manifest.json'));
  if (!list || !Schema.Check(LiveManifest, manifest)) throw errors.noPackage();
  assertListed(files, list.toString());
  const packageJson = jsonOf(files.get('package.json'));
  if (!isObject(packageJson)) throw errors.noPackage();
  const below = (folder: string) => [...files].flatMap(([name, content]) => (name.startsWith(folder) ? [[name.slice(folder.length), content] as const] : []));
  return {
    ...manifest,
    digest: createHash('sha256').update(archive).digest('hex'),
    name: String(packageJson.name ?? manifest.id),
    description: String(packageJson.description ?? ''),
    author: authorOf(packageJson.author),
    ports: portsOf(packageJson.marquee),
    source: files.get('dist/live/server.mjs')?.toString() ?? '',
    consoleFiles: new Map(below('dist/remote/')),
    migrations: Object.fromEntries(below('server/migrations/').map(([name, content]) => [name, content.toString()])),
    options: defaultsOf(jsonOf(files.get('dist/options.json'))),
    list,
    signature: files.has(`${listName}.sig`) ? Buffer.from(String(files.get(`${listName}.sig`)), 'base64') : undefined,
  };
}

/** Returns the name of the key that has signed the package; undefined without a signature. Throws a `PackageError` for a signature of no known key. */
export function signerOf({ list, signature }: PackageFile, keys: ReadonlyMap<string, KeyObject>): string | undefined {
  if (!signature) return undefined;
  for (const [name, key] of keys) if (verify(null, list, key, signature)) return name;
  throw errors.unknownSigner();
}

async function unpack(archive: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  try {
    const bytes = await promisify(gunzip)(archive, { maxOutputLength: maxPackageBytes.unpacked });
    for await (const entry of readTar(Readable.from([bytes]))) {
      // npm puts everything into a folder `package`.
      const name = entry.name.replace(/^[^/]+\//, '');
      if (!usedFilePattern.test(name) && !name.startsWith(listName)) continue;
      if (name.split('/').includes('..') || files.has(name)) throw errors.noPackage();
      const chunks: Buffer[] = [];
      for await (const chunk of entry.content()) chunks.push(chunk);
      files.set(name, Buffer.concat(chunks));
    }
  } catch (error) {
    if (error instanceof PackageError) throw error;
    const { code = '' } = error as NodeJS.ErrnoException;
    if (error instanceof DamagedArchiveError || code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE') throw errors.damaged(error as Error);
    throw error;
  }
  return files;
}

/** Compares the files with their list, which is in the format of `sha256sum`. */
function assertListed(files: ReadonlyMap<string, Buffer>, list: string): void {
  const listed = new Map(list.split('\n').flatMap((line) => (/^[0-9a-f]{64} {2}/.test(line) ? [[line.slice(66), line.slice(0, 64)] as const] : [])));
  const present = new Map([...files].filter(([name]) => usedFilePattern.test(name)));
  for (const name of listed.keys()) if (!present.has(name)) throw errors.changed(name);
  for (const [name, content] of present) if (createHash('sha256').update(content).digest('hex') !== listed.get(name)) throw errors.changed(name);
}

function jsonOf(content: Buffer | undefined): unknown {
  try {
    return JSON.parse(String(content));
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the default of each option that a schema declares. */
function defaultsOf(schema: unknown): Record<string, unknown> {
  const { properties = {} } = (schema ?? {}) as { readonly properties?: Readonly<Record<string, { readonly default?: unknown }>> };
  return Object.fromEntries(Object.entries(properties).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])));
}

/** Returns the ports that the package asks for; throws a `PackageError` for an unknown port or a value that is not valid. */
function portsOf(marquee: unknown): PackagePorts {
  const { ports = {} } = (marquee ?? {}) as { readonly ports?: unknown };
  if (!Schema.Check(PackagePorts, ports)) throw errors.wrongPorts(Schema.Errors(PackagePorts, ports)[1][0]?.instancePath ?? '');
  return ports;
}

const authorOf = (author: unknown): string => String((typeof author === 'object' && author !== null ? (author as { name?: unknown }).name : author) ?? '');

const errors = {
  damaged: (cause: Error) => new PackageError(['文件已损坏，或不是插件包（.tgz）', 'The file is damaged, or is not a package (.tgz).'], { cause }),
  noPackage: () =>
    new PackageError([
      '文件不是可在线安装的插件包，请用 marquee pack 打包',
      'The file is not a package that a running deployment can install. Make one with marquee pack.',
    ]),
  changed: (name: string) => new PackageError([`插件包在打包后被改动：${name}`, `The package was changed after its build: ${name}.`]),
  wrongPorts: (path: string) =>
    new PackageError([
      `package.json 的 marquee.ports${path} 不正确：可声明 "inbox": true 与 "egress": ["https://api.example.com"]`,
      `marquee.ports${path} of package.json is not valid. It may have "inbox": true and "egress": ["https://api.example.com"].`,
    ]),
  unknownSigner: () =>
    new PackageError([
      '插件包的签名不属于 PLUGIN_KEYS 中的任何密钥',
      'The package is signed by a key that PLUGIN_KEYS does not list, or its signature does not match.',
    ]),
};
