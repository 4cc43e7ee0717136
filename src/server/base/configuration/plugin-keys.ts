import { createPublicKey, type KeyObject } from 'node:crypto';
import type { EnvironmentReader } from './configuration.ts';

/** Keys whose signatures packages of plugins may bear, by name. */
export type PluginKeys = ReadonlyMap<string, KeyObject>;

/** Packages without a signature: they are refused, run contained in processes of their own, or run inside the server like signed ones. */
export type UnsignedPlugins = 'off' | 'contained' | 'on';

/** Reads `PLUGIN_KEYS`: Ed25519 public keys with names, separated by commas, as `npm run plugin -- key FILE` prints them. */
export function readPluginKeys(read: EnvironmentReader): PluginKeys {
  const entries = (read.text('PLUGIN_KEYS') ?? '').split(',').map((entry) => entry.trim());
  const keys = new Map<string, KeyObject>();
  for (const entry of entries.filter((one) => one !== '')) {
    const [, name = '', text = ''] = /^([\w.-]{1,64}):([\w+/]+=*)$/.exec(entry) ?? [];
    const key = keyOf(text);
    if (key) keys.set(name, key);
    else read.problems.push(`PLUGIN_KEYS contains "${entry}", but must list keys like acme:MCowBQYDK2VwAyEA… as "npm run plugin -- key" prints them.`);
  }
  return keys;
}

function keyOf(text: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}
