import { SourceTextModule } from 'node:vm';
import { createBirpc } from 'birpc';
import type { ServerContributions } from '../../plugin-host/contributions.ts';
import type { ServerPlugin } from '../../plugin-host/plugin.ts';
import { messagePipe } from '../message-pipe.ts';
import { SentErrors } from '../plain-errors.ts';
import type { FrameContext, PlainRun, PluginDescription, PluginFunctions, PluginSource, ServerFunctions } from '../protocol.ts';
import { describePlugin } from './describe-plugin.ts';
import { endWithServer } from './end-with-server.ts';
import { lockDown } from './lock-down.ts';
import { containedContext } from './plugin-context.ts';
import { RemoteDatabase, type ServerCalls } from './remote-database.ts';
import { RemoteRepositories } from './remote-repositories.ts';

type Modules = Readonly<Record<string, () => Promise<object>>>;

/** Runs one contained plugin in this process, which serves the server at its standard input and output. */
export async function servePlugin(modules: Modules): Promise<void> {
  const { stdin, stdout, memoryUsage, exit } = process;
  const pipe = messagePipe(stdin, stdout, () => exit(1));
  stdin.once('end', () => exit(0));
  endWithServer();
  const errors = new SentErrors(true);
  let plugin: LoadedPlugin | undefined;
  const loaded = () => plugin as LoadedPlugin;
  const server: ServerCalls['server'] = createBirpc<ServerFunctions, PluginFunctions>(
    {
      ping: async () => memoryUsage.rss(),
      load: (source) =>
        errors.reply(async () => {
          plugin = await LoadedPlugin.load(source, modules, { server, valueOf: (reply) => errors.valueOf(reply) });
          return plugin.description;
        }),
      handle: (context, route, request) => errors.reply(() => loaded().handle(context, route, request)),
      hook: (context, repository, hook, given) => errors.reply(() => loaded().inFrame(context, () => loaded().repositories.hook(repository, hook, given))),
      runTask: (context, task) => errors.reply(() => loaded().runTask(context, task)),
      listen: (context, listener, payload) => errors.reply(() => loaded().listen(context, listener, payload)),
      runJob: (context, processor, run) => errors.reply(() => loaded().runJob(context, processor, run)),
      seed: (context) => errors.reply(() => loaded().seed(context)),
      lifecycle: (context, step) => errors.reply(() => loaded().inFrame(context, () => loaded().contributions[step]?.())),
      abort: (run) => loaded().abort(run),
      committed: (frame) => loaded().db.committed(frame),
    },
    { ...pipe, timeout: -1 },
  );
  // A rejection without a handler must not end the process.
  process.on('unhandledRejection', (error) => server.log({ level: 'error', event: 'plugin:stray-rejection', data: String(error) }));
  await new Promise(() => undefined);
}

/** The plugin of this process. */
class LoadedPlugin {
  private readonly runs = new Map<number, AbortController>();

  private constructor(
    private readonly plugin: ServerPlugin,
    readonly contributions: ServerContributions,
    readonly db: RemoteDatabase,
    readonly repositories: RemoteRepositories,
    readonly description: PluginDescription,
    private readonly calls: ServerCalls,
    private readonly context: ReturnType<typeof containedContext>,
  ) {}

  static async load(source: PluginSource, modules: Modules, calls: ServerCalls): Promise<LoadedPlugin> {
    await provideModules(source.modules, modules);
    lockDown((entry) => void Promise.resolve(calls.server.log(entry)).catch(() => undefined));
    const plugin = await evaluate(source);
    const db = new RemoteDatabase(source.engine, calls);
    const repositories = new RemoteRepositories(db, calls);
    db.createRepository = (entity, options, isTree) => repositories.create(entity, options, isTree);
    const context = containedContext(source, db, calls);
    const contributions = plugin.setup?.(context) ?? {};
    repositories.close();
    const description = describePlugin(plugin, contributions, repositories);
    return new LoadedPlugin(plugin, contributions, db, repositories, description, calls, context);
  }

  inFrame(context: FrameContext, work: () => unknown): Promise<unknown> {
    return this.db.inFrame(context, work);
  }

  handle(context: FrameContext, route: number, request: Parameters<PluginFunctions['handle']>[2]): unknown {
    const declared = this.contributions.routes?.[route];
    if (!declared || 'screen' in declared) throw new Error('The call has no handler.');
    const origin = { ...request.origin, header: () => '' };
    const handled = { ...request, origin, setCookie: () => undefined } as Parameters<typeof declared.handler>[0];
    return this.inFrame(context, () => declared.handler(handled));
  }

  runTask(context: FrameContext, task: number): unknown {
    return this.inFrame(context, () => this.contributions.tasks?.[task]?.run(new AbortController().signal));
  }

  listen(context: FrameContext, listener: number, payload: unknown): unknown {
    return this.inFrame(context, () => this.contributions.listeners?.[listener]?.handle(payload));
  }

  async runJob(context: FrameContext, name: string, { run: number, ...facts }: PlainRun): Promise<unknown> {
    const { server } = this.calls;
    const controller = new AbortController();
    this.runs.set(number, controller);
    const run = {
      ...facts,
      signal: controller.signal,
      readSecret: async () => this.calls.valueOf(await server.jobSecret(number)) as string | undefined,
      log: (level: Parameters<ServerFunctions['jobLog']>[1], text: string) => void Promise.resolve(server.jobLog(number, level, text)).catch(() => undefined),
      write: <Result>(work: () => Promise<Result>) => this.db.transaction('job', facts.tenantId, work, number),
      map: () => Promise.reject(new Error('A contained plugin cannot split a run.')),
    };
    try {
      return await this.inFrame(context, () => this.processor(name)?.run(run));
    } finally {
      this.runs.delete(number);
    }
  }

  seed(context: FrameContext): unknown {
    return this.inFrame(context, () => this.plugin.seed?.(this.context));
  }

  abort(run: number): void {
    this.runs.get(run)?.abort();
  }

  private processor(name: string) {
    return this.contributions.processors?.[name as `${string}:${string}`];
  }
}

/** Puts the modules that the code takes from the product into the registry that it reads. */
async function provideModules(names: readonly string[], modules: Modules): Promise<void> {
  const provided: Record<string, object> = {};
  for (const name of names) if (Object.hasOwn(modules, name)) provided[name] = await (modules[name] as () => Promise<object>)();
  Object.assign(globalThis, { marqueeModules: provided });
}

async function evaluate({ id, source }: PluginSource): Promise<ServerPlugin> {
  const refuse = (name: string): never => {
    throw new Error(`A contained plugin may not import ${name}.`);
  };
  const module = new SourceTextModule(source, { identifier: `${id}.mjs`, importModuleDynamically: refuse });
  await module.link(refuse);
  await module.evaluate();
  const { default: plugin } = module.namespace as { readonly default?: ServerPlugin };
  if (plugin?.id !== id) throw new Error(`The package does not contain the plugin "${id}".`);
  return plugin;
}
