import type { Call } from '#shared/contract';
import type { CrudRoutes, PluginRoute, ServerContributions } from '../../plugin-host/contributions.ts';
import type { ServerPlugin } from '../../plugin-host/plugin.ts';
import { plainSql } from '../plain-sql.ts';
import type { DescribedProcessor, DescribedRoute, Lifecycle, PluginDescription } from '../protocol.ts';
import type { RemoteRepositories } from './remote-repositories.ts';

/** Contributions that work from another process. */
const contained: ReadonlySet<string> = new Set<keyof ServerContributions>(['routes', 'listeners', 'tasks', 'processors', 'start', 'ready', 'stop']);
const lifecycle: readonly Lifecycle[] = ['start', 'ready', 'stop'];
/** Options of routes that work from another process. */
const routeOptions: ReadonlySet<string> = new Set(['manualTransactions', 'writes', 'noStore']);

/** Describes a plugin as plain data; throws for what a contained plugin cannot contribute. */
export function describePlugin(plugin: ServerPlugin, contributions: ServerContributions, repositories: RemoteRepositories): PluginDescription {
  for (const [name, value] of Object.entries(contributions)) if (value !== undefined && !contained.has(name)) throw notContained(name);
  for (const name of ['extensions', 'mailKinds', 'webhookEvents'] as const) if (plugin[name]?.length) throw notContained(name);
  const { routes = [], tasks = [], processors = {}, listeners = [] } = contributions;
  return {
    id: plugin.id,
    title: plugin.title,
    dependencies: plugin.dependencies ?? [],
    optionalDependencies: plugin.optionalDependencies ?? [],
    engine: plugin.engine,
    menus: plugin.menus ?? [],
    parameters: plugin.parameters ?? [],
    dictionaries: plugin.dictionaries ?? [],
    seedVersion: plugin.seedVersion,
    hasSeed: plugin.seed !== undefined,
    repositories: repositories.described,
    routes: routes.map((route) => describeRoute(route, repositories)),
    tasks: tasks.map(({ everySeconds }) => everySeconds),
    processors: Object.entries(processors).map(([name, processor]) => describeProcessor(name as `${string}:${string}`, processor)),
    events: listeners.map(({ event }) => event.name),
    lifecycle: lifecycle.filter((step) => contributions[step] !== undefined),
  };
}

function describeRoute(declared: PluginRoute, repositories: RemoteRepositories): DescribedRoute {
  if ('screen' in declared) return describeScreen(declared, repositories);
  const { call, handler: _, plugin: __, ...options } = declared;
  for (const [name, value] of Object.entries(options)) if (value !== undefined && !routeOptions.has(name)) throw notContained(`route option ${name}`);
  for (const name of ['upload', 'download', 'redirect', 'raw', 'bare'] as const satisfies readonly (keyof Call)[]) {
    if (call[name]) throw notContained(`call with ${name}`);
  }
  return { call, options: options as Readonly<Record<string, unknown>> };
}

function describeScreen(
  { screen, repository, options: { search, exportWhere, sheets, pathPrefixes } }: CrudRoutes,
  repositories: RemoteRepositories,
): DescribedRoute {
  if (sheets || pathPrefixes) throw notContained('screen of BladeX-compatible clients');
  const where = exportWhere?.();
  return { screen, repository: repositories.numberOf(repository), search, exportWhere: where && plainSql(where) };
}

function describeProcessor(name: `${string}:${string}`, processor: NonNullable<ServerContributions['processors']>[`${string}:${string}`]): DescribedProcessor {
  const { run: _, validate, perform, reduce, ...declaration } = processor;
  if (validate || perform || reduce) throw notContained('processor with validate, perform or reduce');
  return { name, declaration };
}

const notContained = (name: string) => new Error(`A contained plugin cannot contribute: ${name}.`);
