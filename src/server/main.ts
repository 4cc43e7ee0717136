import { join } from 'node:path';
import { manifest as built, plugins } from '#deployment/server';
import { settledManifest } from '#shared/settled-manifest';
import { type Booted, boot } from './boot.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { openDatabase } from './db/index.ts';
import { type DescribedPlugin, describeDeployment } from './deployment-description.ts';
import { type FirstSignIn, finishFirstStart } from './first-start.ts';
import { createApp } from './http/app.ts';
import { secretKeysOf, storedSecret } from './secret-key.ts';
import { startProblem } from './start-problem.ts';

/** A running server, as whoever started it announces it. */
export interface Started {
  /** Where a browser on this machine finds it. */
  readonly address: string;
  /** Only on the start that made the first account. */
  readonly firstSignIn: FirstSignIn | undefined;
  /** Ends as SIGTERM does, without ending the process. */
  stop(): Promise<void>;
}

const patience = 10_000;

/** What this build is made of, without starting it. */
export const describedPlugins = (): DescribedPlugin[] => describeDeployment(plugins);

/** Starts the server an environment describes; rejects with a sentence when it may not or cannot run. Ctrl-C and SIGTERM drain and end the process. */
export async function startServer(environment: Readonly<Record<string, string | undefined>>): Promise<Started> {
  const configuration = readConfiguration(environment);
  try {
    return await startConfigured(configuration);
  } catch (error) {
    throw startProblem(error, configuration);
  }
}

async function startConfigured(configuration: Configuration): Promise<Started> {
  // With a PostgreSQL of its own a server may run on a read-only disk, as long as it stores no files there.
  if (configuration.databaseUrl === undefined) prepareDataDirectory(configuration.dataDirectory);
  const manifest = settledManifest(built, configuration.consoleSettings);
  const app = await createApp(configuration, manifest);
  const db = await openDatabase({ ...databaseOptions(configuration), log: app.log });
  let booted: Booted | undefined;
  try {
    const keys = secretKeysOf(configuration.secretKey ?? storedSecret(configuration.dataDirectory));
    booted = await boot({ app, db, configuration, keys, manifest, installed: plugins });
    await app.listen({ host: configuration.host, port: configuration.port });
  } catch (error) {
    await (booted ? booted.stop() : app.close().then(() => db.close()));
    throw error;
  }
  endWithSignals(booted);
  finishFirstStart(configuration.dataDirectory);
  return { address: `http://localhost:${portOf(app)}`, firstSignIn: booted.firstSignIn, stop: booted.stop };
}

function databaseOptions({ databaseUrl, dataDirectory, timeZone }: Configuration) {
  return databaseUrl === undefined ? { dataDirectory: join(dataDirectory, 'database'), timeZone } : { url: databaseUrl, timeZone };
}

function portOf(app: { server: { address(): string | { port: number } | null } }): number {
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Windows has no SIGTERM: closing the window of a console and Ctrl-Break stand for it. Elsewhere a server may outlive its terminal (`nohup`). */
const endingSignals: readonly NodeJS.Signals[] = process.platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM'];

/** A second signal, or ten seconds, end the process whatever is still under way. */
function endWithSignals({ stop }: Booted): void {
  let stopping = false;
  const end = () => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), patience).unref();
    stop().then(
      () => process.exit(0),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of endingSignals) process.on(signal, end);
}
