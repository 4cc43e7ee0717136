import type { LocalizedText } from '#shared/text';
import type { Log } from '../../base/log.ts';
import type { Database } from '../../data/database/database.ts';
import { PackageError, type PackageFile } from '../../platform/packages/package-file.ts';
import type { InstalledPlugin, ServerPlugin } from '../plugin-host/plugin.ts';
import { checkDescription } from './check-description.ts';
import { ContainedCalls } from './contained-calls.ts';
import { containedContributions } from './contained-contributions.ts';
import { SentErrors } from './plain-errors.ts';
import { PluginProcess, processLimits } from './plugin-process.ts';
import type { PluginDescription, PluginSource } from './protocol.ts';
import { ServerSide } from './server-side.ts';
import { StatementGuard, StatementRefusedError } from './statement-guard.ts';

/** Facts of the server that the processes of contained plugins need. */
export interface Containment {
  /** Address of the module of the server, from which a process is started. */
  readonly processModule: string;
  readonly engine: Database['engine'];
  readonly basePath: string;
  readonly log: Log;
}

/** Loads the server half of a package in a process of its own. Throws a `PackageError` for one that declares or contributes more than a contained plugin may. */
export async function containPlugin(file: PackageFile, { processModule, engine, basePath, log }: Containment): Promise<InstalledPlugin> {
  const { id, version, source, modules, options, migrations, ports } = file;
  const errors = new SentErrors(false);
  const loaded: PluginSource = { id, source, modules, options, engine, basePath, ports };
  let description: PluginDescription | undefined;
  const guard = new StatementGuard();
  const server = new ServerSide(id, guard, errors, ports);
  const process = new PluginProcess({
    id,
    processModule,
    log,
    functions: server.functions,
    // A process that is started again runs the same code, so that what it declares then is not looked at.
    prepare: async (calls) => {
      const described = errors.valueOf(await calls.load(loaded));
      description ??= described as PluginDescription;
    },
  });
  try {
    for (const name of Object.keys(migrations).sort()) await guard.readMigration(migrations[name] as string);
    await process.call(async (calls) => ({ value: await calls.ping() }), processLimits.startMs);
    await checkDescription(description as PluginDescription, id, guard);
    const calls = new ContainedCalls(process, server, errors);
    return { plugin: pluginOf(description as PluginDescription, { version, options, server, calls }), migrations, process };
  } catch (error) {
    process.stop();
    throw asPackageError(error);
  }
}

interface PluginParts extends Pick<ServerPlugin, 'version' | 'options'> {
  readonly server: ServerSide;
  readonly calls: ContainedCalls;
}

/** Builds the table of contents of a plugin whose functions are in its process. */
function pluginOf(description: PluginDescription, { version, options, server, calls }: PluginParts): ServerPlugin {
  const { id, title, dependencies, optionalDependencies, engine, menus, parameters, dictionaries, seedVersion, hasSeed } = description;
  return {
    ...{ id, title, dependencies, optionalDependencies, menus, parameters, dictionaries, version, options },
    ...(engine === undefined ? {} : { engine }),
    ...(seedVersion === undefined ? {} : { seedVersion }),
    ...(hasSeed ? { seed: () => calls.inTransaction((plugin, context) => plugin.seed(context)) } : {}),
    setup: (context) => containedContributions(description, context, server, calls),
  } as ServerPlugin;
}

function asPackageError(error: unknown): PackageError {
  if (error instanceof PackageError) return error;
  const { message, cause } = error as Error;
  const reason = cause instanceof Error ? cause.message : message;
  const text: LocalizedText =
    error instanceof StatementRefusedError ? error.text : [`插件未能隔离运行：${reason}`, `The plugin cannot run contained: ${reason}`];
  return new PackageError(text, { cause: error });
}
