import { versions } from '#deployment/versions';
import type { RemoteListing, RemoteManifest } from '#shared/remote';
import { createScript } from '../../platform/browser/trusted-types.ts';
import { requestTimeoutMs } from '../../platform/http/transport.ts';
import type { Plugin } from '../plugin/plugin.ts';
import { RemotePluginError } from '../plugin/plugin-state.ts';

interface SharedModule {
  readonly version: string;
  readonly load: () => Promise<object>;
}

const shared = (version: string, load: SharedModule['load']): SharedModule => ({ version, load });

/** Modules provided to remote plugins, which do not bundle them: each is the console's own copy. */
const sharedModules: Readonly<Record<string, SharedModule>> = {
  '#kernel': shared(versions['#kernel'], () => import(/* webpackChunkName: "shared" */ '#kernel')),
  react: shared(versions.react, () => import(/* webpackChunkName: "shared" */ 'react')),
  'react/jsx-runtime': shared(versions.react, () => import(/* webpackChunkName: "shared" */ 'react/jsx-runtime')),
  'react-dom': shared(versions['react-dom'], () => import(/* webpackChunkName: "shared" */ 'react-dom')),
  rxjs: shared(versions.rxjs, () => import(/* webpackChunkName: "shared" */ 'rxjs')),
  dayjs: shared(versions.dayjs, () => import(/* webpackChunkName: "shared" */ 'dayjs')),
  '@arco-design/web-react': shared(versions['@arco-design/web-react'], () => import(/* webpackChunkName: "shared" */ '@arco-design/web-react')),
};

/** Global through which a remote build receives shared modules and registers its own: `scripts/remote-package.mjs` writes the same names. */
const remoteGlobals = globalThis as typeof globalThis & { marqueeShared?: Record<string, object>; marqueeRemotes?: Record<string, RemoteModule> };

interface RemoteModule {
  readonly default?: Plugin;
  /** Lists the options that do not match the plugin's declaration. */
  readonly validateOptions?: (options: object) => Promise<readonly string[]>;
}

/** Loads a remotely hosted plugin. Rejects with a `RemotePluginError` that gives the reason; code that differs from the listed one never runs. */
export async function loadRemote(listing: RemoteListing): Promise<{ readonly default: Plugin }> {
  const manifest = await fetchManifest(listing);
  await provideShared(manifest);
  // A package that the server delivers is listed by its path.
  const address = new URL(listing.manifest, location.href);
  const entry = new URL(manifest.entry.file, address);
  if (entry.origin !== address.origin) throw errors.otherOrigin(entry.origin);
  await runScript(entry.href, manifest.entry.integrity);
  const { default: plugin, validateOptions } = remoteGlobals.marqueeRemotes?.[listing.id] ?? {};
  if (!plugin) throw errors.noPlugin(listing.id);
  const options = { ...defaultOptionsOf(manifest), ...listing.options };
  const problems = (await validateOptions?.(options)) ?? [];
  if (problems.length > 0) throw errors.options(problems.join('; '));
  return { default: { ...plugin, options } };
}

async function fetchManifest({ id, manifest, integrity }: RemoteListing): Promise<RemoteManifest> {
  const reply = await fetch(manifest, { credentials: 'omit', cache: 'no-cache', signal: AbortSignal.timeout(requestTimeoutMs) }).catch((error) => {
    throw errors.unreachable(manifest, error);
  });
  if (!reply.ok) throw errors.unreachable(manifest, new Error(`HTTP ${reply.status}`));
  const content = await reply.arrayBuffer();
  if (!(await isIntact(content, integrity))) throw errors.changed(manifest);
  const parsed = JSON.parse(new TextDecoder().decode(content)) as RemoteManifest;
  if (parsed.id !== id) throw errors.otherPlugin(parsed.id);
  return parsed;
}

/** Compares the digest of a file. It is mandatory: a page that cannot compute it (plain HTTP) runs no remote code. */
async function isIntact(content: ArrayBuffer, integrity: string): Promise<boolean> {
  const [algorithm = '', expected] = integrity.split('-', 2);
  if (!globalThis.crypto?.subtle) throw errors.insecure();
  const digest = new Uint8Array(await crypto.subtle.digest(algorithm.replace('sha', 'SHA-'), content));
  return btoa(String.fromCharCode(...digest)) === expected;
}

const defaultOptionsOf = ({ options }: RemoteManifest): object =>
  Object.fromEntries(Object.entries(options?.properties ?? {}).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])));

/** Provides the shared modules the plugin asks for; a version outside the range it was built for is refused. */
async function provideShared({ shared }: RemoteManifest): Promise<void> {
  const { default: ranges } = await import('semver');
  remoteGlobals.marqueeShared ??= {};
  for (const [name, range] of Object.entries(shared)) {
    const module = sharedModules[name];
    if (!module) throw errors.notShared(name);
    if (!ranges.satisfies(module.version, range)) throw errors.version({ name, range, version: module.version });
    remoteGlobals.marqueeShared[name] ??= await module.load();
  }
}

function runScript(source: string, integrity: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = createScript(source, integrity);
    const settle = (done: () => void) => () => {
      script.remove();
      done();
    };
    script.onload = settle(resolve);
    script.onerror = settle(() => reject(errors.noScript(source)));
    document.head.append(script);
  });
}

const errors = {
  unreachable: (address: string, cause: unknown) => new RemotePluginError([`无法获取 ${address}`, `Could not fetch ${address}.`], { cause }),
  changed: (address: string) =>
    new RemotePluginError([
      `${address} 与登记的摘要不符，请登记其构建输出的摘要`,
      `The digest of ${address} does not match the registered one. Register the digest from its build.`,
    ]),
  insecure: () => new RemotePluginError(['远程插件需要 HTTPS，请通过 https 打开控制台', 'Remote plugins require HTTPS. Open the console over https.']),
  otherPlugin: (id: string) => new RemotePluginError([`该地址提供的是插件「${id}」`, `This address provides the plugin “${id}”.`]),
  otherOrigin: (origin: string) => new RemotePluginError([`代码来自其他来源 ${origin}`, `Its code comes from another origin, ${origin}.`]),
  notShared: (name: string) => new RemotePluginError([`该插件需要 ${name}，本控制台未提供`, `It requires ${name}, which this console does not provide.`]),
  version: ({ name, range, version }: { name: string; range: string; version: string }) =>
    new RemotePluginError([
      `该插件需要 ${name} ${range}，本控制台为 ${version}，请重新构建该插件`,
      `It requires ${name} ${range}, but this console has ${version}. Rebuild the plugin against this version.`,
    ]),
  options: (detail: string) => new RemotePluginError([`插件选项无效：${detail}`, `Invalid plugin options: ${detail}.`]),
  noScript: (address: string) =>
    new RemotePluginError([`${address} 未能加载，或与其摘要不符`, `Could not load ${address}, or its digest does not match the manifest.`]),
  noPlugin: (id: string) => new RemotePluginError([`代码中没有插件「${id}」`, `Its code does not contain the plugin “${id}”.`]),
};
