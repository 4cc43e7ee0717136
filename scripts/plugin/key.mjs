/** Implements `key`: makes the key with which an author signs packages. */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { CommandError } from './deployment.mjs';

export async function run({ ids: [file] }) {
  if (existsSync(file)) throw new CommandError(`${file} already exists. Packages that it has signed need it, so it is not replaced.`);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const name = basename(file, extname(file)).replace(/[^\w.-]/g, '-');
  console.log(`${file} signs packages: npm run plugin -- build FOLDER --key ${file}. Keep it secret.`);
  console.log('Deployments that trust it are started with this setting, which lists several keys with commas between them:');
  console.log(`PLUGIN_KEYS=${name}:${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`);
}
