/**
 * Implements `npm run dev`: both halves with hot reload. The console listens on PORT (8080), the server behind it on a free port. A changed plugin is replaced in
 * the running console; a changed server file restarts the server only, and console requests wait meanwhile.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { portProblem, sparePort } from './port.mjs';
import { ensureInstalled, root } from './prepare.mjs';
import { fail } from './steps.mjs';

process.chdir(root);
process.env.MARQUEE_OUTPUT = 'dist/development';
process.env.NODE_ENV = 'development';
await ensureInstalled();
const { createRsbuild, loadConfig, mergeRsbuildConfig } = await import('@rsbuild/core');

const port = Number(process.env.PORT || 8080);
const problem = await portProblem(String(port), '0.0.0.0');
if (problem !== undefined) fail(problem);
const serverPort = await sparePort();
const serverAddress = `http://127.0.0.1:${serverPort}`;
const { content } = await loadConfig({ cwd: root });
const load = (environment, extra) => createRsbuild({ cwd: root, config: mergeRsbuildConfig(content, extra), environment: [environment] });

const serverBuild = await load('node', { mode: 'development' });
const ofServer = ['/api', '/health', '/oauth'];
let running;
let built;
let restarts = Promise.resolve();
let ready = Promise.resolve();
serverBuild.onAfterBuild(({ stats, isFirstCompile }) => {
  const { hash } = stats?.toJson({ all: false, hash: true }) ?? {};
  // The watcher also rebuilds for modules that exist only in memory, with the same output.
  if (hash !== undefined && hash === built) return;
  built = hash;
  if (!isFirstCompile) console.log('The server has changed. Restarting it.');
  // Restarts run one after the other, because two servers cannot share one database directory.
  restarts = restarts.then(restartServer);
  ready = restarts.then(serverReady);
  return restarts;
});
await serverBuild.build({ watch: true });

const consoleBuild = await load('web', {
  mode: 'development',
  server: {
    port,
    strictPort: true,
    setup: ({ server }) => void server.middlewares.use(waitForServer),
    proxy: Object.fromEntries(ofServer.map((path) => [path, serverAddress])),
    historyApiFallback: true,
  },
  dev: { writeToDisk: false },
});
await consoleBuild.startDevServer();

async function restartServer() {
  await stopServer();
  running = spawn(process.execPath, ['--enable-source-maps', join(root, 'scripts/serve.mjs'), 'dist/development/server/main.js'], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'development', PORT: String(serverPort), CONSOLE_DIR: join(root, 'public'), PUBLIC_ADDRESS: `http://localhost:${port}` },
  });
  const started = running;
  started.once('exit', (code) => {
    if (!started.killed) console.error(`The server exited with code ${code}. It restarts when one of its files changes.`);
  });
}

/** Resolves when the most recently started server is ready, or has ended; a server that is still starting answers calls with 503. */
async function serverReady() {
  const started = running;
  while (started.exitCode === null && started.signalCode === null) {
    const reply = await fetch(`${serverAddress}/health/ready`).catch(() => undefined);
    if (reply?.ok) return;
    await wait(50);
  }
}

async function waitForServer({ url }, _reply, next) {
  const isForServer = ofServer.some((path) => url.startsWith(path));
  // The server may have been replaced again during the wait.
  for (let waited; isForServer && waited !== ready; await waited) waited = ready;
  next();
}

async function stopServer() {
  if (!running || running.exitCode !== null) return;
  const gone = new Promise((resolve) => running.once('exit', resolve));
  running.kill('SIGTERM');
  await Promise.race([gone, wait(12_000)]);
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await stopServer();
    process.exit(0);
  });
}
