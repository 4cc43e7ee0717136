import type { RemoteListing, RemoteManifest } from '#shared/remote';
import type { Plugin } from '../plugin.ts';
import { RemoteRefusal } from './remote-refusal.ts';
import { sharedModules } from './shared-modules.ts';

/** Where a remote build finds what it is lent, and leaves what it is: `scripts/remote-package.mjs` writes the same names. */
const meeting = globalThis as typeof globalThis & { marqueeShared?: Record<string, object>; marqueeRemotes?: Record<string, RemoteModule> };

interface RemoteModule {
  readonly default?: Plugin;
  /** What of the options does not fit what the plugin declares. */
  readonly misfits?: (options: object) => Promise<readonly string[]>;
}

/** Fetches a plugin that is hosted elsewhere. Rejects with a `RemoteRefusal` that says what does not fit; none of its code has run where it is another than was listed. */
export async function loadRemote(listing: RemoteListing): Promise<{ readonly default: Plugin }> {
  const manifest = await fetchManifest(listing);
  await lend(manifest);
  const entry = new URL(manifest.entry.file, listing.manifest);
  if (entry.origin !== new URL(listing.manifest).origin) throw refusals.otherOrigin(entry.origin);
  await runScript(entry.href, manifest.entry.integrity);
  const { default: plugin, misfits } = meeting.marqueeRemotes?.[listing.id] ?? {};
  if (!plugin) throw refusals.noPlugin(listing.id);
  const options = { ...presetsOf(manifest), ...listing.options };
  const problems = (await misfits?.(options)) ?? [];
  if (problems.length > 0) throw refusals.options(problems.join('; '));
  return { default: { ...plugin, options } };
}

async function fetchManifest({ id, manifest, integrity }: RemoteListing): Promise<RemoteManifest> {
  const reply = await fetch(manifest, { credentials: 'omit', cache: 'no-cache' }).catch((error) => {
    throw refusals.unreachable(manifest, error);
  });
  if (!reply.ok) throw refusals.unreachable(manifest, new Error(`HTTP ${reply.status}`));
  const content = await reply.arrayBuffer();
  if (!(await isIntact(content, integrity))) throw refusals.changed(manifest);
  const read = JSON.parse(new TextDecoder().decode(content)) as RemoteManifest;
  if (read.id !== id) throw refusals.otherPlugin(read.id);
  return read;
}

/** The digest is not optional: a page without one to compute it by (plain http) runs no code from elsewhere. */
async function isIntact(content: ArrayBuffer, integrity: string): Promise<boolean> {
  const [algorithm = '', expected] = integrity.split('-', 2);
  if (!globalThis.crypto?.subtle) throw refusals.insecure();
  const digest = new Uint8Array(await crypto.subtle.digest(algorithm.replace('sha', 'SHA-'), content));
  return btoa(String.fromCharCode(...digest)) === expected;
}

const presetsOf = ({ options }: RemoteManifest): object =>
  Object.fromEntries(Object.entries(options?.properties ?? {}).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])));

/** Puts what the plugin asks for where it finds it; a version that is none of those it was built for is refused. */
async function lend({ shared }: RemoteManifest): Promise<void> {
  const { default: ranges } = await import('semver');
  meeting.marqueeShared ??= {};
  for (const [name, range] of Object.entries(shared)) {
    const module = sharedModules[name];
    if (!module) throw refusals.notShared(name);
    if (!ranges.satisfies(module.version, range)) throw refusals.version({ name, range, version: module.version });
    meeting.marqueeShared[name] ??= await module.load();
  }
}

function runScript(source: string, integrity: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    Object.assign(script, { src: source, integrity, crossOrigin: 'anonymous', async: true });
    const settle = (done: () => void) => () => {
      script.remove();
      done();
    };
    script.onload = settle(resolve);
    script.onerror = settle(() => reject(refusals.noScript(source)));
    document.head.append(script);
  });
}

const refusals = {
  unreachable: (address: string, cause: unknown) => new RemoteRefusal([`无法获取 ${address}`, `${address} could not be fetched.`], { cause }),
  changed: (address: string) =>
    new RemoteRefusal([`${address} 与登记的摘要不符`, `${address} is not the file that was listed: its digest is another. List the one its build has said.`]),
  insecure: () => new RemoteRefusal(['远程插件需要 https', 'Plugins from elsewhere need a console that is opened over https.']),
  otherPlugin: (id: string) => new RemoteRefusal([`该地址提供的是插件“${id}”`, `What is there is the plugin "${id}".`]),
  otherOrigin: (origin: string) => new RemoteRefusal([`代码来自其他来源 ${origin}`, `Its code is at ${origin}, another origin than its manifest.`]),
  notShared: (name: string) => new RemoteRefusal([`它需要本控制台不提供的 ${name}`, `It asks for ${name}, which this console does not lend.`]),
  version: ({ name, range, version }: { name: string; range: string; version: string }) =>
    new RemoteRefusal([
      `它需要 ${name} ${range}，本控制台为 ${version}；请重新构建该插件`,
      `It needs ${name} ${range} and this console has ${version}. Build the plugin against this version.`,
    ]),
  options: (detail: string) => new RemoteRefusal([`其选项无效：${detail}`, `Its options do not fit: ${detail}.`]),
  noScript: (address: string) =>
    new RemoteRefusal([`${address} 未能加载，或与其摘要不符`, `${address} could not be loaded, or is not the file its manifest names.`]),
  noPlugin: (id: string) => new RemoteRefusal([`代码中没有插件“${id}”`, `Its code leaves no plugin "${id}" behind.`]),
};
