import { dependencyIds } from '#shared/plugin-versions';
import type { ServiceToken } from '../../base/services.ts';
import { currentActor } from '../../data/context/actor.ts';
import { Inbox, ProvidedInbox } from '../../platform/inbox/inbox.ts';
import { Mail, ProvidedMail } from '../../platform/inbox/mail.ts';
import { ProvidedWebhooks, Webhooks } from '../../platform/webhooks/webhooks.ts';
import type { ServerContext, ServerPlugin } from './plugin.ts';
import type { PluginContributions } from './plugin-contributions.ts';
import type { ServerHostDeps } from './plugin-host-deps.ts';

interface ContextDeps extends ServerHostDeps {
  readonly contributions: PluginContributions;
  /** Services of the kernel that plugins get by their class. */
  readonly kernelServices: ReadonlyMap<ServiceToken, unknown>;
}

/** Creates the context that one plugin receives. */
export function pluginContext({ id: plugin, dependencies, options = {} }: ServerPlugin, deps: ContextDeps): ServerContext {
  const { db, bus, systemLogs, parameters, live, sms, files, basePath, egress, switches, contributions, kernelServices } = deps;
  const { services, filters, background } = contributions;
  /** Returns a service of another plugin that is enabled in the tenant, by default that of the current work. */
  const serviceFor = <Service>(token: ServiceToken<Service>, tenantId?: string): Service | undefined =>
    services.find(plugin, token, (owner) => switches.isOff(owner, tenantId ?? db.tenantId ?? currentActor()?.tenantId));
  const mail = new ProvidedMail((tenantId) => serviceFor(Mail, tenantId));
  return {
    options,
    db,
    parameters,
    files,
    basePath,
    egress,
    systemLog: systemLogs.of(plugin),
    live,
    inbox: new ProvidedInbox((tenantId) => serviceFor(Inbox, tenantId), mail),
    mail,
    sms,
    webhooks: new ProvidedWebhooks(() => serviceFor(Webhooks)),
    inBackground: (name, fields, run) => background.run(plugin, name, fields, run),
    get: <Service>(token: ServiceToken<Service>) => (kernelServices.get(token) as Service) ?? services.get(plugin, dependencyIds(dependencies), token),
    secretKeys: (purpose) => deps.secretKeys(plugin, purpose),
    find: (token) => serviceFor(token),
    emit: (event, payload) => bus.emit(event, payload),
    applyFilters: (filter, value) => filters.apply(filter, value),
  };
}
