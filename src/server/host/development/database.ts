import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, readConfiguration } from '../../base/configuration/configuration.ts';
import { prepareDataDirectory } from '../../base/configuration/data-directory.ts';
import { type SharedDatabase, shareDatabase } from '../../data/embedded/shared-database.ts';
import { sharedDriver } from '../../data/embedded/shared-driver.ts';
import { migrationsOf } from '../../data/index.ts';
import { isOfDevelopment } from '../../data/schema/development-mark.ts';
import { holderSentence, type MigrationReset, planReset, type ResetPlan, resetMigrations } from '../../data/schema/reset-migrations.ts';
import { embeddedDirectory, openConfigured } from '../open-configured.ts';
import { startProblem } from '../start-problem.ts';
import { storedForReset } from './migrations.ts';

/**
 * Opens the embedded database of an environment for the servers of `npm run dev`; undefined if its file system has no sockets, so that only one process can use it.
 * Rejects with a readable sentence.
 */
export async function openForDevelopment(environment: Environment): Promise<SharedDatabase | undefined> {
  const configuration = readConfiguration(environment);
  const directory = embeddedDirectory(configuration.dataDirectory);
  try {
    prepareDataDirectory(configuration.dataDirectory);
    const database = await shareDatabase({ directory, timeZone: configuration.timeZone });
    // Connects once as a server would: it fails if the file system has no sockets.
    const probe = await sharedDriver(directory);
    await probe?.close();
    if (probe) return database;
    await database.close();
    return undefined;
  } catch (error) {
    throw startProblem(error, configuration);
  }
}

/** A reset that has been planned but not confirmed yet. */
export interface PlannedReset extends ResetPlan {
  /** Reasons for which the reset is refused, one sentence each; empty if it is allowed. */
  readonly refusals: readonly string[];
  /** Resets the plugin and returns the files that were applied again; rejects, and changes nothing, if one fails. */
  confirm(): Promise<string[]>;
  close(): Promise<void>;
}

/** Migration files of a plugin: texts by their names. */
export interface PluginMigrations {
  readonly plugin: { readonly id: string };
  readonly migrations: Readonly<Record<string, string>>;
}

/**
 * Plans to drop what the migrations of a plugin have created and to apply them again, in the database of an environment. `installed` lists the plugins of the deployment.
 * Rejects with a readable sentence if it is not a development database.
 */
export async function planPluginReset(environment: Environment, plugin: string, installed: readonly PluginMigrations[]): Promise<PlannedReset> {
  const configuration = readConfiguration({ ...environment, NODE_ENV: 'development' });
  const request: MigrationReset = { plugin, migrations: migrationsOf(installed), ...storedForReset(configuration.dataDirectory) };
  if (configuration.databaseUrl === undefined && !existsSync(join(embeddedDirectory(configuration.dataDirectory), 'postgres/PG_VERSION')))
    throw new Error(`${configuration.dataDirectory} contains no database. npm run dev creates one, or set DATA_DIR.`);
  try {
    const db = await openConfigured(configuration, console.error);
    try {
      if (!(await db.asPlatform('reads the development mark of the database', () => isOfDevelopment(db))))
        throw new Error(
          'This is not a development database: the last server on it was not started by npm run dev. A reset would lose its rows, so it is refused.',
        );
      const plan = await planReset(db, request);
      return { ...plan, refusals: plan.holders.map(holderSentence), confirm: () => resetMigrations(db, request, plan), close: () => db.close() };
    } catch (error) {
      await db.close();
      throw error;
    }
  } catch (error) {
    throw startProblem(error, configuration);
  }
}
