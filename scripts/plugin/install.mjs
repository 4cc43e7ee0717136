/** Implements `install`: puts a package where the running server of a data directory looks for new ones, and waits for its answer. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandError } from './deployment.mjs';

/** Seconds after which no server is expected to answer. */
const waitSeconds = 60;

export async function run({ ids: [file] }) {
  if (!existsSync(file)) throw new CommandError(`${file} was not found.`);
  const content = readFileSync(file);
  const folder = join(process.env.DATA_DIR ?? '.data', 'incoming-packages');
  const name = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const [archive, answer] = [join(folder, `${name}.tgz`), join(folder, `${name}.json`)];
  mkdirSync(folder, { recursive: true });
  rmSync(answer, { force: true });
  writeFileSync(`${archive}.part`, content);
  renameSync(`${archive}.part`, archive);
  for (let left = waitSeconds; left > 0 && !existsSync(answer); left -= 0.2) await pause(200);
  if (!existsSync(answer)) {
    rmSync(archive, { force: true });
    throw new CommandError(`No server answered. Start the server whose DATA_DIR contains ${folder}, or install the package on the page Plugins.`);
  }
  const { message, isInstalled } = JSON.parse(readFileSync(answer, 'utf8'));
  rmSync(answer);
  if (!isInstalled) throw new CommandError(message);
  console.log(message);
}
