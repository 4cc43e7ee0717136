import type { Entity } from '#shared/contract';
import { type RepositoryOptions, repositoryOf, type TreeEntity, treeRepositoryOf } from '../../data/repository/repository.ts';
import { type KernelRequest, type Route, route } from '../../platform/http/route.ts';
import type { Processor } from '../../platform/jobs/processors.ts';
import type { Principal } from '../../platform/principal/principal.ts';
import { crudRoutes, type PluginRoute, type ServerContributions } from '../plugin-host/contributions.ts';
import type { ServerContext } from '../plugin-host/plugin.ts';
import type { ContainedCalls } from './contained-calls.ts';
import { sqlOf } from './plain-sql.ts';
import type { DescribedProcessor, DescribedRepository, DescribedRoute, PlainRequest, PluginDescription } from './protocol.ts';
import type { NamedRepository, ServerSide } from './server-side.ts';

/** Contributions of a contained plugin, whose functions call its process. */
export function containedContributions(description: PluginDescription, context: ServerContext, server: ServerSide, calls: ContainedCalls): ServerContributions {
  const repositories = description.repositories.map((described, index) => createRepository(described, index, context, calls));
  server.serve({
    context,
    repositories: repositories as unknown as readonly NamedRepository[],
    parameters: new Map(description.parameters.map((parameter) => [parameter.key, parameter])),
  });
  const step = (name: 'start' | 'ready' | 'stop') => () => calls.outside((plugin, frame) => plugin.lifecycle(frame, name)) as Promise<void>;
  const { lifecycle } = description;
  return {
    routes: description.routes.map((described, index) => createRoute(described, index, repositories, calls)),
    tasks: description.tasks.map((everySeconds, index) => ({
      everySeconds,
      run: () => calls.outside((plugin, frame) => plugin.runTask(frame, index), { isLong: true }) as Promise<void>,
    })),
    listeners: description.events.map((name, index) => ({
      event: { name },
      handle: (payload) => calls.outside((plugin, frame) => plugin.listen(frame, index, payload)) as Promise<void>,
    })),
    processors: Object.fromEntries(description.processors.map((described) => [described.name, createProcessor(described, server, calls)])),
    ...(lifecycle.includes('start') ? { start: step('start') } : {}),
    ...(lifecycle.includes('ready') ? { ready: step('ready') } : {}),
    stop: async () => {
      if (lifecycle.includes('stop')) await step('stop')().catch(() => undefined);
      calls.process.stop();
    },
  };
}

/** Creates a repository of the server, which calls the hooks of the plugin. */
function createRepository({ entity, isTree, options, where, hooks }: DescribedRepository, index: number, { db }: ServerContext, calls: ContainedCalls) {
  const called = hooks.map((hook) => [hook, (...given: readonly unknown[]) => calls.inTransaction((plugin, frame) => plugin.hook(frame, index, hook, given))]);
  const condition = where && sqlOf({ text: `(${where.text}\n)`, parameters: where.parameters });
  const complete: RepositoryOptions<Entity, object> = { ...options, ...Object.fromEntries(called), ...(condition ? { where: () => condition } : {}) };
  return isTree ? treeRepositoryOf(db, entity as TreeEntity, complete) : repositoryOf(db, entity, complete);
}

function createRoute(
  described: DescribedRoute,
  index: number,
  repositories: readonly ReturnType<typeof createRepository>[],
  calls: ContainedCalls,
): PluginRoute {
  if ('screen' in described) {
    const { screen, repository, search, exportWhere } = described;
    const condition = exportWhere && sqlOf({ text: `(${exportWhere.text}\n)`, parameters: exportWhere.parameters });
    return crudRoutes(
      screen,
      repositories[repository] as never,
      { ...(search ? { search } : {}), ...(condition ? { exportWhere: () => condition } : {}) } as never,
    );
  }
  const { call, options } = described;
  const isManual = options.manualTransactions === true;
  const writes = call.method === 'POST' && !isManual;
  const handle = (request: KernelRequest) => {
    const plain = plainRequest(request);
    if (isManual) return calls.outside((plugin, frame) => plugin.handle(frame, index, plain), { tenantId: request.principal.tenantId });
    return writes
      ? calls.inTransaction((plugin, frame) => plugin.handle(frame, index, plain))
      : calls.inRead((plugin, frame) => plugin.handle(frame, index, plain));
  };
  const served: Route = route(call, (request) => handle(request) as never, options);
  if (!writes) return served;
  return {
    ...served,
    prepare: () => calls.takeSlot(),
    handler: async (request) => {
      try {
        return (await handle(request)) as never;
      } finally {
        (request as KernelRequest & { readonly prepared?: () => void }).prepared?.();
      }
    },
  };
}

/** Copies what a handler may know of a request. */
function plainRequest({ input, principal, language, origin: { address, host, userAgent, requestId } }: KernelRequest): PlainRequest {
  const { mayCall: _, ...plain } = principal;
  return { input, principal: plain as Principal, language, origin: { address, host, userAgent, requestId } };
}

function createProcessor({ name, declaration }: DescribedProcessor, server: ServerSide, calls: ContainedCalls): Processor {
  return {
    ...declaration,
    run: (run) =>
      server.withRun(run, async (number) => {
        const { tenantId, instanceId, params, instanceParams, signal } = run;
        const abort = () => calls.process.notify((plugin) => plugin.abort(number));
        signal.addEventListener('abort', abort, { once: true });
        try {
          const plain = { run: number, tenantId, instanceId, params, instanceParams };
          const outcome = await calls.outside((plugin, frame) => plugin.runJob(frame, name, plain), { tenantId, isLong: true });
          return outcome === undefined ? undefined : String(outcome);
        } finally {
          signal.removeEventListener('abort', abort);
        }
      }),
  };
}
