/** Finds or starts the services that tests need besides Node: a Chromium, a PostgreSQL, a MariaDB, an Exim, an OpenLDAP and a syslog server. In CI all are mandatory and installed if missing. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isShell, knownBrowser, otherBrowser } from './browsers.mjs';
import { sparePort } from './port.mjs';

const isMandatory = Boolean(process.env.CI);

export { knownBrowser } from './browsers.mjs';

/**
 * Returns the path of a Chromium, Chrome or Edge: that of `CHROMIUM_PATH`, one of this machine, or a newly installed one. Ends the process with instructions if
 * there is none.
 */
export function findBrowser() {
  const isChosen = Boolean(process.env.CHROMIUM_PATH);
  const tryInstall = () => !isChosen && ['chromium-headless-shell', 'chromium'].some((name) => installWithApt([name, 'fonts-noto-cjk']));
  const found = knownBrowser() ?? (tryInstall() ? knownBrowser() : undefined) ?? (isChosen ? undefined : downloadedBrowser());
  if (found) return found;
  console.error(
    isChosen
      ? `CHROMIUM_PATH is ${process.env.CHROMIUM_PATH}, but this browser was not found. Set it to the path of an executable, or to chromium, chrome or msedge.`
      : 'No browser was found for the tests. Install Chromium, Chrome or Edge, or set CHROMIUM_PATH to its executable.',
  );
  process.exit(1);
}

/**
 * Returns the path of a browser of another kind than that of `findBrowser`, for a tenth of the journeys; in CI it is installed if missing. Undefined if there is
 * none.
 */
export function findOtherBrowser(browser) {
  const missing = () => (isMandatory && installWithApt([isShell(browser) ? 'chromium' : 'chromium-headless-shell']) ? otherBrowser(browser) : undefined);
  return otherBrowser(browser) ?? missing();
}

function downloadedBrowser() {
  const download = spawnSync(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'], { stdio: 'inherit' });
  if (download.status !== 0) return undefined;
  const where = spawnSync(process.execPath, ['-e', "import('@playwright/test').then(({ chromium }) => console.log(chromium.executablePath()))"], {
    encoding: 'utf8',
  });
  const path = where.stdout.trim();
  return existsSync(path) ? path : undefined;
}

function installWithApt(packages) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const apt = (args) => spawnSync('apt-get', args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0;
  console.log(`Installing ${packages.join(', ')} …`);
  return apt(['update', '-qq']) && apt(['install', '-y', '-qq', ...packages]);
}

/**
 * Returns a PostgreSQL for tests, `{ url, endsWithRun, stop }`: `TEST_DATABASE_URL`, or a new cluster in a temporary directory on a free port. Undefined if none is
 * available; in CI that ends the process.
 */
export async function findPostgres() {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, endsWithRun: false, stop() {} };
  const binaries = postgresBinaries() ?? (isMandatory && installWithApt(['postgresql']) ? postgresBinaries() : undefined);
  const cluster = binaries ? await startCluster(binaries) : undefined;
  if (cluster || !isMandatory) return cluster;
  console.error('PostgreSQL is mandatory here and could not be started. Install it, or set TEST_DATABASE_URL.');
  process.exit(1);
}

export function postgresBinaries() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...(process.env.PATH ?? '').split(delimiter)];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')));
}

/** Returns the path of PgBouncer, or undefined; in CI it is mandatory and installed if missing. */
export function findPgbouncer() {
  const path = programPath('pgbouncer') ?? (isMandatory && installWithApt(['pgbouncer']) ? programPath('pgbouncer') : undefined);
  if (path || !isMandatory) return path;
  console.error('PgBouncer is mandatory here and could not be installed.');
  process.exit(1);
}

/** Returns the path of Exim, a mail server, or undefined; in CI it is mandatory and installed if missing. */
export function findExim() {
  const path = programPath('exim4') ?? (isMandatory && installWithApt(['exim4-daemon-light']) ? programPath('exim4') : undefined);
  if (path || !isMandatory) return path;
  console.error('Exim is mandatory here and could not be installed.');
  process.exit(1);
}

/** Returns the path of rsyslog, a syslog server, or undefined; in CI it is mandatory and installed if missing. */
export function findRsyslog() {
  // TLS is a module of its own.
  const isEncrypting = () => ['x86_64', 'aarch64'].some((machine) => existsSync(`/usr/lib/${machine}-linux-gnu/rsyslog/lmnsd_ossl.so`));
  const found = () => (isEncrypting() ? programPath('rsyslogd') : undefined);
  const path = found() ?? (isMandatory && installWithApt(['--no-install-recommends', 'rsyslog', 'rsyslog-openssl']) ? found() : undefined);
  if (path || !isMandatory) return path;
  console.error('rsyslog is mandatory here and could not be installed.');
  process.exit(1);
}

/** Returns the path of a reverse proxy, `nginx`, `haproxy` or `caddy`, or undefined; in CI it is mandatory and installed if missing. */
export function findReverseProxy(name) {
  const debian = name === 'nginx' ? 'nginx-light' : name;
  const path = programPath(name) ?? (isMandatory && installWithApt(['--no-install-recommends', debian]) ? programPath(name) : undefined);
  if (path || !isMandatory) return path;
  console.error(`${name} is mandatory here and could not be installed.`);
  process.exit(1);
}

/** Returns the path of slapd, an LDAP server that comes with the programs of ldap-utils, or undefined; in CI both are mandatory and installed if missing. */
export function findSlapd() {
  const found = () => (programPath('ldapmodify') ? programPath('slapd') : undefined);
  const path = found() ?? (isMandatory && installWithApt(['--no-install-recommends', 'slapd', 'ldap-utils']) ? found() : undefined);
  if (path || !isMandatory) return path;
  console.error('slapd is mandatory here and could not be installed.');
  process.exit(1);
}

/** Returns the path of Prometheus, which comes with promtool, or undefined; in CI it is mandatory and installed if missing. */
export function findPrometheus() {
  const path = programPath('prometheus') ?? (isMandatory && installWithApt(['--no-install-recommends', 'prometheus']) ? programPath('prometheus') : undefined);
  if (path || !isMandatory) return path;
  console.error('Prometheus is mandatory here and could not be installed.');
  process.exit(1);
}

/** Returns the path of a program; daemons are in folders that the search path of users lacks. */
const programPath = (name) =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'].map((folder) => join(folder, name)).find((path) => existsSync(path));

async function startCluster(binaries) {
  const home = mkdtempSync(join(tmpdir(), 'marquee-postgres-'));
  const data = join(home, 'data');
  const port = await sparePort();
  const asRoot = process.getuid?.() === 0;
  if (asRoot) spawnSync('chown', ['postgres', home]);
  chmodSync(home, 0o755);
  const command = (name, args) => {
    const [program, ...rest] = asRoot ? ['runuser', '-u', 'postgres', '--', join(binaries, name), ...args] : [join(binaries, name), ...args];
    return spawnSync(program, rest, { cwd: home, stdio: 'ignore' }).status === 0;
  };
  const stop = () => {
    command('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']);
    rmSync(home, { recursive: true, force: true });
  };
  const options = [
    `-p ${port} -k ${home} -c listen_addresses=127.0.0.1 -c fsync=off -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0`,
    '-c max_connections=200 -c synchronous_commit=off -c autovacuum=off -c jit=off -c checkpoint_timeout=1h -c max_wal_size=8GB -c bgwriter_lru_maxpages=0',
  ].join(' ');
  if (
    command('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']) &&
    command('pg_ctl', ['-D', data, '-w', '-o', options, 'start'])
  ) {
    return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, endsWithRun: true, stop };
  }
  stop();
  return undefined;
}

/**
 * Returns a MariaDB or MySQL for tests, `{ url, stop }`: `TEST_MYSQL_URL`, or a new server in a temporary directory on a free port. Undefined if none is available;
 * in CI that ends the process.
 */
export async function findMariadb() {
  if (process.env.TEST_MYSQL_URL) return { url: process.env.TEST_MYSQL_URL, stop() {} };
  const isInstalled = () => programPath('mariadbd') && programPath('mariadb-install-db');
  if (!isInstalled() && isMandatory) installWithApt(['mariadb-server']);
  const server = isInstalled() ? await startMariadb() : undefined;
  if (server || !isMandatory) return server;
  console.error('MariaDB is mandatory here and could not be started. Install it, or set TEST_MYSQL_URL.');
  process.exit(1);
}

async function startMariadb() {
  const home = mkdtempSync(join(tmpdir(), 'marquee-mariadb-'));
  const data = join(home, 'data');
  const port = await sparePort();
  const user = process.getuid?.() === 0 ? ['--user=mysql'] : [];
  if (user.length > 0) spawnSync('chown', ['mysql', home]);
  chmodSync(home, 0o755);
  const prepared = spawnSync(programPath('mariadb-install-db'), [...user, `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db'], {
    stdio: 'ignore',
  });
  const options = [`--datadir=${data}`, `--socket=${join(home, 'socket')}`, `--pid-file=${join(home, 'pid')}`, `--port=${port}`, '--bind-address=127.0.0.1'];
  const fast = ['--skip-log-bin', '--innodb-flush-log-at-trx-commit=0', '--skip-name-resolve'];
  const server = spawn(programPath('mariadbd'), ['--no-defaults', ...user, ...options, ...fast], { stdio: 'ignore' });
  const stop = () => {
    server.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  };
  const isUp = () =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket.end()));
      socket.on('error', () => resolve(false));
    });
  for (let tries = 0; prepared.status === 0 && tries < 300 && server.exitCode === null; tries += 1) {
    if (await isUp()) return { url: `mysql://root@127.0.0.1:${port}/`, stop };
    await wait(100);
  }
  stop();
  return undefined;
}
