import { Subscription, type TeardownLogic } from 'rxjs';
import { PermissionChanged } from '#shared/live';
import { SessionEnded } from '#shared/session-ended';
import type { LocalizedText } from '#shared/text';
import { Bus } from '../base/bus/bus.ts';
import { MittBus } from '../base/bus/mitt-bus.ts';
import { Container } from '../base/container/container.ts';
import type { LoadablePlugin } from '../host/plugin/plugin.ts';
import { createCrashLoopGuardLoader } from '../host/plugin-host/crash-loop-guard-loader.ts';
import { followDisabledPlugins } from '../host/plugin-host/follow-disabled-plugins.ts';
import { PluginHost } from '../host/plugin-host/plugin-host.ts';
import { isSafeAddress, SafeMode } from '../host/plugin-host/safe-mode.ts';
import { JsonStorage } from '../platform/browser/storage.ts';
import { Dictionaries, DictionaryRegistry } from '../platform/dictionaries/dictionaries.ts';
import { ErrorLog } from '../platform/errors/error-log.ts';
import { Toasts } from '../platform/feedback/toasts.ts';
import { Http } from '../platform/http/http.ts';
import { clientHeadersOf } from '../platform/http/request.ts';
import { Transport } from '../platform/http/transport.ts';
import { I18nextLocale } from '../platform/i18n/i18next-locale.ts';
import { Locale } from '../platform/i18n/locale.ts';
import { BrowserLive } from '../platform/live/browser-live.ts';
import { Live } from '../platform/live/live.ts';
import { MenuTree } from '../platform/menu/menu.ts';
import { ServerMenu } from '../platform/menu/server-menu.ts';
import { GrantedPermission } from '../platform/permission/granted-permission.ts';
import { Permission } from '../platform/permission/permission.ts';
import { Session } from '../platform/session/session.ts';
import { SessionBoundHttp } from '../platform/session/session-bound-http.ts';
import { Slots } from '../ui/slots/slots.ts';
import type { CoreServices } from './core-services.ts';

/** Options of the start of a console. */
export interface BootOptions {
  /** Binds the shell's own services before any plugin is wired; the returned teardown runs when the console is disposed. */
  readonly bind?: (container: Container) => TeardownLogic;
  /** True to run core plugins only. Defaults to `?safe` in the address. */
  readonly safe?: boolean;
  /** Time-out of each phase of a plugin, in place of the defaults. */
  readonly phaseTimeoutMs?: number;
  /** Milliseconds for which plugins that have loaded wait for the others before they start. */
  readonly startTimeoutMs?: number;
}

/** The running console. `container` and `host` are usable immediately; `settled` resolves when every plugin has started or failed to start. */
export interface ConsoleKernel {
  readonly container: Container;
  readonly host: PluginHost;
  readonly settled: Promise<void>;
  dispose(): void;
}

/** Adds the services of a signed-in user to the core services: container, menu, permission, plugins. The core services outlive the returned kernel. */
export function bootConsole(core: CoreServices, entries: readonly LoadablePlugin[], options: BootOptions = {}): ConsoleKernel {
  const container = new Container();
  const http = new SessionBoundHttp(core.get(Http), core.get(Session));
  for (const [identifier, service] of core.entries()) container.bind(identifier, identifier === Http ? http : service);
  const lifetime = new Subscription();
  bindMenuAndPermission(core, container, http, lifetime);
  bindLive(core, container, lifetime);
  const storage = new JsonStorage(localStorage, core.manifest.storagePrefix);
  const disabledPluginsKey = `plugins-off:${core.get(Session).user?.tenant_id}`;
  const safeMode = new SafeMode(options.safe ?? isSafeAddress(location.search), container.get(Live));
  container.bind(SafeMode, safeMode);
  lifetime.add(() => safeMode.dispose());
  const host = new PluginHost({
    container,
    bus: core.get(MittBus),
    log: core.get(ErrorLog),
    safe: safeMode.isRequested,
    crashLoopGuard: createCrashLoopGuardLoader(storage),
    disabledIds: storage.read<string[]>(disabledPluginsKey) ?? [],
    ...(options.phaseTimeoutMs === undefined ? {} : { phaseTimeoutMs: options.phaseTimeoutMs }),
    ...(options.startTimeoutMs === undefined ? {} : { startTimeoutMs: options.startTimeoutMs }),
  });
  container.bind(PluginHost, host);
  container.bind(Slots, host.slots);
  container.bind(Dictionaries, new DictionaryRegistry());
  lifetime.add(options.bind?.(container));
  logUnknownPlugins(core, entries);
  const settled = host.boot(entries);
  for (const { id, changed } of entries) lifetime.add(changed?.(() => void host.replace(id)));
  const save = (disabledIds: readonly string[]) => storage.write(disabledPluginsKey, disabledIds);
  const notify = (text: LocalizedText) => core.get(Toasts).warning(core.get(Locale).t(text));
  lifetime.add(followDisabledPlugins({ host, live: container.get(Live), settled, save, notify }));
  const dispose = () => {
    host.dispose();
    lifetime.unsubscribe();
    container.dispose();
  };
  return { container, host, settled, dispose };
}

function bindMenuAndPermission(core: CoreServices, container: Container, http: Http, lifetime: Subscription): void {
  const storage = new JsonStorage(sessionStorage, core.manifest.storagePrefix);
  const shared = { http, session: core.get(Session), bus: core.get(Bus), locale: core.get(Locale), storage };
  const menu = new ServerMenu(shared);
  const permission = new GrantedPermission({ ...shared, menu });
  container.bind(MenuTree, menu);
  container.bind(Permission, permission);
  const locale = core.get(Locale);
  if (locale instanceof I18nextLocale) lifetime.add(locale.localizeDates());
  lifetime.add(() => permission.dispose());
  lifetime.add(() => menu.dispose());
  void menu.load();
  void permission.load();
}

/** Binds live events; menu and permissions are loaded again when the server announces a change, and a session that the server has ended is ended here. */
function bindLive(core: CoreServices, container: Container, lifetime: Subscription): void {
  const { storagePrefix } = core.manifest;
  const session = core.get(Session);
  const channelName = `${storagePrefix}live:${session.user?.tenant_id}/${session.user?.user_id}`;
  const live = new BrowserLive({ transport: core.get(Transport), session, bus: core.get(Bus), clientHeaders: clientHeadersOf(core.manifest), channelName });
  container.bind(Live, live);
  lifetime.add(() => live.dispose());
  lifetime.add(
    live.stream(SessionEnded).subscribe(({ reason }) => {
      const { accessToken } = session;
      // The event may be about an earlier session, because another tab can have signed out or in again in the meantime.
      if (session.verify() && session.accessToken === accessToken) session.end('refused', reason);
    }),
  );
  lifetime.add(
    live.stream(PermissionChanged).subscribe(() => {
      void container.get(MenuTree).load();
      void container.get(Permission).load();
    }),
  );
}

/** Logs ids of the manifest for which the build has no plugin; the console starts without them. */
function logUnknownPlugins(core: CoreServices, entries: readonly LoadablePlugin[]): void {
  const knownIds = new Set(entries.map(({ id }) => id));
  for (const id of core.manifest.plugins)
    if (!knownIds.has(id)) core.get(ErrorLog).record('plugin', `The manifest lists "${id}", but this build has no such plugin`, id);
}
