/**
 * Implements `npm run dev`: both halves with hot reload. The console listens on PORT (8080), the server behind it on a free port. A changed plugin is replaced in
 * the running console; a changed server file replaces the server only, and console requests wait meanwhile. New migrations, changed menus, the manifest and the
 * options of plugins take effect at once. `--manifest FILE` runs another deployment.
 */
import { createHash } from 'node:crypto';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { announce } from './announce.mjs';
import { watchDeployment } from './dev/deployment-watch.mjs';
import { migrationNotices, Notices, tableNotices } from './dev/notices.mjs';
import { Servers } from './dev/servers.mjs';
import { manifestPath, readManifestFile } from './manifest.mjs';
import { portProblem } from './port.mjs';
import { ensureInstalled, root } from './prepare.mjs';
import { durationText, fail } from './steps.mjs';

const usage = `npm run dev [-- --manifest FILE]
  Runs both halves with hot reload. The console listens on PORT (8080).
  --manifest FILE  runs the plugins of this manifest instead of plugins.manifest.json`;
readOptions();
process.chdir(root);
process.env.MARQUEE_OUTPUT = 'dist/development';
process.env.NODE_ENV = 'development';
await ensureInstalled();
const { createRsbuild, loadConfig, mergeRsbuildConfig } = await import('@rsbuild/core');
const { problemsOf, displayPath } = await import('./dev/manifest-places.mjs');

const port = Number(process.env.PORT || 8080);
const problem = await portProblem(String(port), '0.0.0.0');
if (problem !== undefined) fail(problem);
const serverPaths = ['/api', '/health', '/oauth'];
const output = join(root, 'dist/development/server');
const notices = new Notices();
let modules;
let deployment;
/** Builds of the server and of the console. */
const buildCount = 2;
const runningBuilds = [];
let lastBuild;
let markConsoleStarted;
const consoleStarted = new Promise((resolve) => {
  markConsoleStarted = resolve;
});

const servers = new Servers({
  build: join(output, 'main.js'),
  databaseBuild: join(output, 'database.js'),
  environment: {
    ...process.env,
    HOST: '127.0.0.1',
    // The other build serves the console.
    CONSOLE_DIR: '',
    PUBLIC_ADDRESS: `http://localhost:${port}`,
    // For a moment two servers run on one database.
    ROLLING_CHANGE: 'plugins',
  },
  listener: {
    migrated({ applied, problems }) {
      if (applied.length > 0 && !isNewDatabase(applied)) console.log(`Applied ${applied.join(', ')}.`);
      notices.set('migrations', migrationNotices(problems, migrationsFolder), 'All migrations are applied.');
    },
    async started({ duration, isRestart, bootstrapCredentials }) {
      notices.set('server', [], 'The server can start again.');
      if (isRestart) return console.log(`The server has been restarted in ${duration}.`);
      await consoleStarted;
      announce({ address: `http://localhost:${port}`, bootstrapCredentials });
    },
    compared: (differences) => notices.set('tables', tableNotices(differences, migrationsFolder), 'All tables match their entities.'),
    notStarted: (reason, consequence) =>
      reason === undefined
        ? console.log(consequence)
        : notices.set('server', [{ text: [`服务端未能启动：${reason}${consequence}`, `The server could not start: ${reason} ${consequence}`] }]),
    failed: (reason) => console.error(reason),
  },
});

await startBuilds().catch((error) =>
  fail(
    problemsOf(error, manifestFiles())
      .map(({ message, file, line }) => `${file ? `${file}:${line}: ` : ''}${message}`)
      .join('\n'),
  ),
);
let refreshes = Promise.resolve();
const stopWatching = watchDeployment(
  () => deployment,
  () => {
    refreshes = refreshes.then(refresh);
  },
);
// `npm run plugin -- reset` touches this file, so that the server, which caches the tables, is replaced.
const resetFile = resolve(process.env.DATA_DIR || '.data', 'development/reset');
watchFile(resetFile, { interval: 300 }, (now, before) => now.mtimeMs !== before.mtimeMs && servers.replace());

/** Time after which a stop no longer waits for what is still open. */
const stopTimeoutMs = 3000;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await servers.stop();
    stopWatching();
    unwatchFile(resetFile);
    // Node.js ends by itself: an exit before the bundler has let go of its modules makes it report each of them as leaked.
    setTimeout(() => process.exit(0), stopTimeoutMs).unref();
    await Promise.allSettled(runningBuilds.map((build) => build.close()));
  });
}

function readOptions() {
  if (process.env.npm_config_manifest && !process.argv.some((argument) => argument.startsWith('--manifest')))
    fail('npm consumed --manifest. Write two dashes before it: npm run dev -- --manifest FILE');
  try {
    const { manifest, help } = parseArgs({ options: { manifest: { type: 'string' }, help: { type: 'boolean', short: 'h' } } }).values;
    if (help) {
      console.log(usage);
      process.exit(0);
    }
    if (manifest) process.env.MARQUEE_MANIFEST = manifest;
  } catch (error) {
    fail(`${error.message.split(/\. (?=To specify)/)[0].replace(/\.$/, '')}. npm run dev takes --manifest FILE only.`);
  }
}

/** Returns the paths of the manifests, or the last known ones if they cannot be read; before the first build, that of the main manifest. */
function manifestFiles() {
  try {
    return readManifestFile().files;
  } catch {
    return deployment?.files ?? [manifestPath()];
  }
}

const isNewDatabase = (applied) => applied.some((name) => name.startsWith('kernel/0001'));

function migrationsFolder(id) {
  if (id === 'kernel') return 'src/server';
  const { folder, files } = deployment.plugins.find((plugin) => plugin.id === id);
  return displayPath(files.migrations ?? join(folder, 'server/migrations'));
}

/** Starts both builds of the deployment. The server runs as soon as its build is there, so that the console need not be waited for. */
async function startBuilds() {
  const { content } = await loadConfig({ cwd: root });
  modules = content.plugins.find(({ name }) => name === 'deployment-modules');
  deployment = modules.deployment;
  const load = (environment, extra) => createRsbuild({ cwd: root, config: mergeRsbuildConfig(content, extra), environment: [environment] });
  const serverBuild = await load('node', {
    mode: 'development',
    environments: { node: { source: { entry: { database: './src/server/host/development/database.ts' } } } },
  });
  serverBuild.onAfterBuild(({ stats }) => {
    if (stats?.hasErrors()) return;
    // The watcher also rebuilds for modules that exist only in memory, with the same output.
    const build = createHash('sha256')
      .update(readFileSync(join(output, 'main.js')))
      .digest('hex');
    if (build === lastBuild) return;
    lastBuild = build;
    servers.replace();
  });
  runningBuilds.push(await serverBuild.build({ watch: true }));
  const consoleBuild = await load('web', {
    mode: 'development',
    source: { preEntry: './src/development-notices.ts' },
    server: {
      port,
      strictPort: true,
      setup: ({ server }) => void server.middlewares.use((...request) => notices.serve(...request)).use(waitForServer),
      proxy: serverPaths.map((path) => ({ pathFilter: path, target: 'http://127.0.0.1', router: () => servers.address })),
      historyApiFallback: true,
    },
    dev: { writeToDisk: false },
  });
  const { server } = await consoleBuild.startDevServer();
  runningBuilds.push(server);
  markConsoleStarted();
}

/** Applies a change of the manifest, of options or of the list of migrations; a broken one is reported, and the state before it stays. */
async function refresh() {
  const startedAt = performance.now();
  const before = deployment;
  try {
    const changed = await modules.refresh();
    deployment = changed.deployment;
    notices.set('deployment', [], 'The deployment can be built again.');
    for (const line of changesOf(before, deployment)) console.log(line);
    if (!changed.isConfigurationChanged && runningBuilds.length > 0) return;
    await Promise.all(runningBuilds.splice(0).map((build) => build.close()));
    await startBuilds();
    console.log(`The builds have been started again in ${durationText(performance.now() - startedAt)}.`);
  } catch (error) {
    const found = problemsOf(error, manifestFiles());
    const hasBuilds = runningBuilds.length === buildCount;
    if (!hasBuilds) await Promise.all(runningBuilds.splice(0).map((build) => build.close()));
    const remedy = hasBuilds
      ? ['更改前的配置继续生效', 'The state before this change keeps running.']
      : ['改正后会重新构建', 'The builds start again once this is corrected.'];
    notices.set(
      'deployment',
      found.map(({ message, file, line }) => ({ text: [message, message], place: file && `${file}:${line}`, remedy })),
    );
  }
}

/** Describes the difference between two deployments in lines. */
function changesOf(before, after) {
  const beforeById = new Map(before.plugins.map((plugin) => [plugin.id, plugin]));
  const idsAfter = new Set(after.plugins.map(({ id }) => id));
  const lines = after.plugins.flatMap(({ id, settled }) => {
    if (!beforeById.has(id)) return [`Added the plugin ${id}.`];
    return JSON.stringify(settled) === JSON.stringify(beforeById.get(id).settled)
      ? []
      : [`Changed the options of ${id}: ${JSON.stringify(settled?.all ?? {})}.`];
  });
  for (const id of beforeById.keys()) if (!idsAfter.has(id)) lines.push(`Removed the plugin ${id}.`);
  const { plugins: _, ...rest } = after.manifest;
  const changed = Object.keys(rest).filter((key) => JSON.stringify(rest[key]) !== JSON.stringify(before.manifest[key]));
  return changed.length > 0 ? [...lines, `Changed ${changed.join(', ')} of the manifest.`] : lines;
}

/** Lets calls wait until a server answers them. Without one, because the first has failed, they are refused, and the terminal says why. */
async function waitForServer({ url }, reply, next) {
  const isForServer = serverPaths.some((path) => url.startsWith(path));
  // The server may have been replaced again during the wait.
  let waited;
  while (isForServer && waited !== servers.ready) {
    waited = servers.ready;
    await waited;
  }
  if (!isForServer || servers.address !== undefined) return next();
  reply.writeHead(503, { 'content-type': 'application/json; charset=utf-8' });
  reply.end(JSON.stringify({ code: 503, success: false, data: null, msg: '服务端未能启动 · The server could not start; the terminal says why.' }));
}
