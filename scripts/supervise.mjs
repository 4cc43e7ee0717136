/** Restarts a server when it crashes. The file is copied beside the server of a deployment, so it uses Node built-ins only. */
import { spawn } from 'node:child_process';

/** Exit code with which a server requests a restart; `src/server/main.ts` has the same. */
const restartCode = 75;
/** Uptime after which a start counts as successful. */
const stableMs = 60_000;
const maxCrashes = 4;

/** Returns true in the server process. */
export const isSupervised = () => process.env.MARQUEE_SUPERVISED === '1';

/**
 * Runs a script as the server and ends with its exit code. After a crash or a requested restart it starts again after 1, 2, 4 and 8 seconds; after a refused start
 * it does not. SIGINT and SIGTERM are forwarded, once where a terminal and npm both send them.
 */
export function supervise(script, args, environment = {}) {
  if (isSupervised()) throw new Error('A supervised server supervises nothing.');
  const hasGroups = process.platform !== 'win32';
  let child;
  let isStopping = false;
  let crashes = 0;
  let restartTimer;

  const begin = () => {
    const began = performance.now();
    let isStarted = false;
    restartTimer = undefined;
    child = spawn(process.execPath, [...process.execArgv, script, ...args], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      // In a process group of its own the server gets a terminal's Ctrl-C only from here; a second signal would end it at once.
      detached: hasGroups,
      env: { ...process.env, ...environment, MARQUEE_SUPERVISED: '1' },
    });
    child.once('message', () => (isStarted = true));
    child.once('exit', (code, signal) => {
      const isCrash = code === restartCode || signal !== null || (isStarted && code !== 0);
      if (isStopping || !isCrash) process.exit(code ?? 1);
      crashes = performance.now() - began > stableMs ? 1 : crashes + 1;
      if (crashes > maxCrashes) {
        console.error(
          `\nThe server crashed ${crashes} times in a row, each time within a minute, and is not restarted. The lines above contain the reason. npm start -- --safe only starts core plugins.\n`,
        );
        process.exit(code ?? 1);
      }
      const seconds = 2 ** (crashes - 1);
      console.error(`The server ended with ${signal ?? `code ${code}`} and restarts in ${seconds} s.`);
      restartTimer = setTimeout(begin, seconds * 1000);
    });
  };

  let lastSignal = Number.NEGATIVE_INFINITY;
  for (const signal of hasGroups ? ['SIGINT', 'SIGTERM'] : ['SIGINT', 'SIGBREAK', 'SIGHUP']) {
    process.on(signal, () => {
      isStopping = true;
      if (restartTimer !== undefined) process.exit(0);
      if (hasGroups && performance.now() - lastSignal > 500) child.kill(signal);
      lastSignal = performance.now();
    });
  }
  begin();
}

/** Called in the server: reports the start to the supervisor, and ends the server in an orderly way when the supervisor is gone. */
export function reportStarted() {
  if (!isSupervised()) return;
  const stop = () => process.kill(process.pid, 'SIGTERM');
  if (!process.connected) return stop();
  process.once('disconnect', stop);
  process.send('started');
}
