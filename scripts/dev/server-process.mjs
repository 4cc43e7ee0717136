/**
 * Runs one server of `npm run dev`. It loads the packages of the previous build and then waits: `load` migrates the database with the build that is there by then,
 * `start` starts its server. The first argument names the build. It sends a message to its parent after each step.
 */
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const build = process.argv[2];
const folder = pathToFileURL(dirname(build)).href;
const maps = new Map();
let server;

const commands = {
  async load() {
    server = await import(pathToFileURL(build).href);
    process.send({ kind: 'migrated', ...(await server.migrateDatabase(process.env)) });
  },
  async start() {
    const running = await server.startServer(process.env);
    process.send({ kind: 'ready', bootstrapCredentials: running.bootstrapCredentials });
    process.send({ kind: 'compared', differences: await running.tableDifferences() });
  },
};

Error.prepareStackTrace = (error, frames) => [String(error), ...frames.map(placeOf)].join('\n    at ');
process.once('disconnect', () => process.exit(0));
await loadPackages();
process.on('message', (command) => commands[command]().catch(endWith));
process.send({ kind: 'waiting' });

/** Locates a frame in the sources. Node.js would read the source maps of the build at each start, and most starts have no error. */
function placeOf(frame) {
  const file = frame.getFileName() ?? '';
  const entry = mapOf(file)?.findEntry(frame.getLineNumber() - 1, frame.getColumnNumber() - 1);
  if (!entry?.originalSource) return String(frame);
  const source = resolve(dirname(fileURLToPath(file)), entry.originalSource);
  return `${frame.getFunctionName() ?? '<anonymous>'} (${source}:${entry.originalLine + 1}:${entry.originalColumn + 1})`;
}

function mapOf(file) {
  if (!file.startsWith(folder)) return undefined;
  if (!maps.has(file)) {
    const map = fileURLToPath(`${file}.map`);
    maps.set(file, existsSync(map) ? new module.SourceMap(JSON.parse(readFileSync(map, 'utf8'))) : undefined);
  }
  return maps.get(file);
}

/** Loads the packages that the build imports, which takes longer than the build itself. */
async function loadPackages() {
  await Promise.all(packagesOf(build).map((name) => import(name).catch(() => undefined)));
}

function packagesOf(file) {
  if (!existsSync(file)) return [];
  const imported = [...readFileSync(file, 'utf8').matchAll(/^import\b[^'"\n]*["']([^"']+)["'];?$/gm)].map(([, name]) => name);
  return imported.flatMap((name) => (name.startsWith('.') ? packagesOf(join(dirname(file), name)) : name));
}

/** Ends with the message of an error, which the server phrases as a sentence where it knows the reason. */
function endWith(error) {
  process.send({ kind: 'failed', message: error?.message || String(error?.stack ?? error) }, () => process.exit(1));
}
