import type { Parameter } from '#shared/parameters';
import { Parameters } from '../../../base/parameters.ts';
import type { HttpRequest, HttpResponse } from '../../../base/send-http.ts';
import { SystemLog, type SystemLogEntry } from '../../../platform/audit/system-log.ts';
import type { Delivery } from '../../../platform/inbox/inbox.ts';
import type { ServerContext } from '../../plugin-host/plugin.ts';
import type { PluginSource } from '../protocol.ts';
import type { RemoteDatabase, ServerCalls } from './remote-database.ts';

/** Services of the context that only work inside the server; `inbox` and `egress` work if they are granted. */
const missing = ['files', 'egress', 'live', 'inbox', 'mail', 'sms', 'webhooks', 'secretKeys', 'get', 'find', 'applyFilters'] as const;

/** Creates the context of a contained plugin, which throws where it is asked for more than the plugin may have. */
export function containedContext({ options, basePath, ports }: PluginSource, db: RemoteDatabase, calls: ServerCalls): ServerContext {
  const context = {
    options,
    basePath,
    db,
    parameters: new RemoteParameters(db, calls),
    systemLog: new RemoteSystemLog(calls),
    inBackground: (_name: string, _fields: Readonly<Record<string, string>>, run: () => Promise<unknown>) => run(),
    emit: ({ name }: { readonly name: string }, payload: unknown) => void calls.server.emit(db.frame, name, payload).catch(() => undefined),
  };
  const granted = {
    ...(ports.inbox ? { inbox: { deliver: async (delivery: Delivery) => void calls.valueOf(await calls.server.deliver(db.frame, delivery)) } } : {}),
    ...(ports.egress ? { egress: { check: () => undefined, send: (url: URL, request: HttpRequest) => sendHttp(calls, url, request) } } : {}),
  };
  Object.assign(context, granted);
  for (const name of missing.filter((one) => !(one in granted))) {
    Object.defineProperty(context, name, {
      get: () => {
        throw new Error(`A contained plugin may not use context.${name}.`);
      },
    });
  }
  return context as unknown as ServerContext;
}

/** Sends a request by the server, which knows the granted origins; a signal cannot cancel it. */
async function sendHttp(calls: ServerCalls, url: URL, { signal: _, ...request }: HttpRequest): Promise<HttpResponse> {
  return calls.valueOf(await calls.server.sendHttp(url.href, request)) as HttpResponse;
}

class RemoteParameters extends Parameters {
  constructor(
    private readonly db: RemoteDatabase,
    private readonly calls: ServerCalls,
  ) {
    super();
  }

  override integer(parameter: Parameter, tenantId?: string): Promise<number> {
    return this.read(parameter, tenantId) as Promise<number>;
  }

  override text(parameter: Parameter, tenantId?: string): Promise<string> {
    return this.read(parameter, tenantId) as Promise<string>;
  }

  override flag(parameter: Parameter, tenantId?: string): Promise<boolean> {
    return this.read(parameter, tenantId) as Promise<boolean>;
  }

  private async read({ key }: Parameter, tenantId: string | undefined): Promise<unknown> {
    return this.calls.valueOf(await this.calls.server.parameter(this.db.frame, key, tenantId));
  }
}

class RemoteSystemLog extends SystemLog {
  constructor(private readonly calls: ServerCalls) {
    super();
  }

  override log(entry: SystemLogEntry): void {
    void Promise.resolve(this.calls.server.log(entry)).catch(() => undefined);
  }
}
