import { Subscription, type TeardownLogic } from 'rxjs';
import { PermissionChanged } from '#shared/live';
import { SessionEnded } from '#shared/session-ended';
import type { LocalizedText } from '#shared/text';
import { Bus } from '../base/bus/bus.ts';
import { MittBus } from '../base/bus/mitt-bus.ts';
import { Container } from '../base/container/container.ts';
import type { PluginEntry } from '../host/plugin/plugin.ts';
import { failuresIn } from '../host/plugin-host/failures.ts';
import { followSwitches } from '../host/plugin-host/follow-switches.ts';
import { PluginHost } from '../host/plugin-host/plugin-host.ts';
import { isSafeAddress, SafeMode } from '../host/plugin-host/safe-mode.ts';
import { JsonStorage } from '../platform/browser/storage.ts';
import { Dictionaries } from '../platform/dictionaries/dictionaries.ts';
import { DictionaryRegistry } from '../platform/dictionaries/dictionary-registry.ts';
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
  /** Binds the shell's own services before any plugin is wired; the returned teardown runs at the end. */
  readonly bind?: (container: Container) => TeardownLogic;
  /** True to run core plugins only. Defaults to `?safe` in the address. */
  readonly safe?: boolean;
  /** Milliseconds a plugin has for each phase, in place of the defaults. */
  readonly timeLimit?: number;
  /** Milliseconds for which loaded plugins wait for the others. */
  readonly startTimeoutMs?: number;
}

/** The running console. `container` and `host` work at once; `settled` resolves when every plugin has started or failed to start. */
export interface ConsoleKernel {
  readonly container: Container;
  readonly host: PluginHost;
  readonly settled: Promise<void>;
  dispose(): void;
}

/** Adds the services of a signed-in operator to the core services: container, menu, permission, plugins. The core services outlive it. */
export function bootConsole(light: CoreServices, entries: readonly PluginEntry[], options: BootOptions = {}): ConsoleKernel {
  const container = new Container();
  const http = new SessionBoundHttp(light.get(Http), light.get(Session));
  for (const [identifier, service] of light.entries()) container.bind(identifier, identifier === Http ? http : service);
  const lifetime = new Subscription();
  bindMenu(light, container, http, lifetime);
  bindLive(light, container, lifetime);
  const storage = new JsonStorage(localStorage, light.manifest.storagePrefix);
  const switchedOff = `plugins-off:${light.get(Session).user?.tenant_id}`;
  const safeMode = new SafeMode(options.safe ?? isSafeAddress(location.search), container.get(Live));
  container.bind(SafeMode, safeMode);
  lifetime.add(() => safeMode.dispose());
  const host = new PluginHost({
    container,
    bus: light.get(MittBus),
    log: light.get(ErrorLog),
    safe: safeMode.isAsked,
    failures: failuresIn(storage),
    off: storage.read<string[]>(switchedOff) ?? [],
    ...(options.timeLimit === undefined ? {} : { timeLimit: options.timeLimit }),
    ...(options.startTimeoutMs === undefined ? {} : { startTimeoutMs: options.startTimeoutMs }),
  });
  container.bind(PluginHost, host);
  container.bind(Slots, host.slots);
  container.bind(Dictionaries, new DictionaryRegistry());
  lifetime.add(options.bind?.(container));
  warnOfUnknown(light, entries);
  const settled = host.boot(entries);
  for (const { id, changed } of entries) lifetime.add(changed?.(() => void host.replace(id)));
  const remember = (off: readonly string[]) => storage.write(switchedOff, off);
  const tell = (text: LocalizedText) => light.get(Toasts).warning(light.get(Locale).t(text));
  lifetime.add(followSwitches({ host, live: container.get(Live), settled, remember, tell }));
  const dispose = () => {
    host.dispose();
    lifetime.unsubscribe();
    container.dispose();
  };
  return { container, host, settled, dispose };
}

function bindMenu(light: CoreServices, container: Container, http: Http, lifetime: Subscription): void {
  const storage = new JsonStorage(sessionStorage, light.manifest.storagePrefix);
  const shared = { http, session: light.get(Session), bus: light.get(Bus), locale: light.get(Locale), storage };
  const menu = new ServerMenu(shared);
  const permission = new GrantedPermission({ ...shared, menu });
  container.bind(MenuTree, menu);
  container.bind(Permission, permission);
  const locale = light.get(Locale);
  if (locale instanceof I18nextLocale) lifetime.add(locale.withDates());
  lifetime.add(() => permission.dispose());
  lifetime.add(() => menu.dispose());
  void menu.load();
  void permission.load();
}

/** Binds live events; permissions are loaded again as soon as the server announces a change, and a session it has ended ends here. */
function bindLive(light: CoreServices, container: Container, lifetime: Subscription): void {
  const { storagePrefix } = light.manifest;
  const session = light.get(Session);
  const shareName = `${storagePrefix}live:${session.user?.tenant_id}/${session.user?.user_id}`;
  const live = new BrowserLive({ transport: light.get(Transport), session, bus: light.get(Bus), clientHeaders: clientHeadersOf(light.manifest), shareName });
  container.bind(Live, live);
  lifetime.add(() => live.dispose());
  lifetime.add(
    live.stream(SessionEnded).subscribe(({ reason }) => {
      const { accessToken } = session;
      // Another tab may have signed out, or in again, meanwhile, which takes precedence over news of the earlier session.
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

/** Logs an id in the manifest that the build has no plugin for, instead of failing. */
function warnOfUnknown(light: CoreServices, entries: readonly PluginEntry[]): void {
  const knownIds = new Set(entries.map(({ id }) => id));
  for (const id of light.manifest.plugins)
    if (!knownIds.has(id)) light.get(ErrorLog).record('plugin', `The manifest lists "${id}", which is no plugin of this build`, id);
}
