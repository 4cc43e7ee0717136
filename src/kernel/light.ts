import type { Manifest } from '#shared/manifest';
import { BrowserSession } from './auth/browser-session.ts';
import { Session } from './auth/session.ts';
import { StoredSession } from './auth/stored-session.ts';
import { Bus } from './bus.ts';
import { ErrorLog } from './errors/error-log.ts';
import { watchWindow } from './errors/window-errors.ts';
import { AxiosTransport } from './http/axios-transport.ts';
import { Http } from './http/http.ts';
import { HttpClient } from './http/http-client.ts';
import type { Transport } from './http/transport.ts';
import { I18nextLocale, storedLanguage } from './i18n/i18next-locale.ts';
import { KernelTexts } from './i18n/kernel-texts.ts';
import { Locale } from './i18n/locale.ts';
import { MittBus } from './mitt-bus.ts';
import type { ServiceClass } from './plugin.ts';
import type { Services } from './services.tsx';
import { Toasts } from './shell/toasts.ts';
import { JsonStorage } from './storage.ts';
import { BrowserTheme } from './theme/browser-theme.ts';
import { Theme } from './theme/theme.ts';
import { ToastQueue } from './toast-queue.ts';

/** The manifest as the console reads it. */
export type ConsoleManifest = Manifest & {
  /** The public client of the token endpoint, `sryx` unless said. */
  readonly clientId?: string;
  /** Codes of the envelope that reject instead of being toasted and answered. */
  readonly statusWhitelist?: readonly number[];
  /** Where the API is when it is not where the console came from. */
  readonly apiBase?: string;
};

/** What the sign-in page needs and the whole console keeps: bus, errors, locale, theme, toasts, http, session. */
export class LightKernel implements Services {
  private readonly services = new Map<ServiceClass, unknown>();
  private readonly endings: (() => void)[] = [];

  constructor(readonly manifest: ConsoleManifest) {}

  get<Service>(service: ServiceClass<Service>): Service {
    if (!this.services.has(service)) throw new Error(`${service.name} is not a service of the light kernel`);
    return this.services.get(service) as Service;
  }

  /** Answers for a class or port with this instance, which ends with the kernel when it has a `dispose`. */
  bind<Service>(identifier: ServiceClass<Service>, instance: Service & { dispose?: () => void }): void {
    this.services.set(identifier, instance);
    if (instance.dispose) this.endings.push(() => instance.dispose?.());
  }

  onDispose(ending: () => void): void {
    this.endings.push(ending);
  }

  /** Every service by its identifier, for the console's container. */
  entries(): IterableIterator<[ServiceClass, unknown]> {
    return this.services.entries();
  }

  dispose(): void {
    for (const end of this.endings.splice(0).reverse()) end();
  }
}

/** Starts the light kernel; resolves once the texts of the reader's language are there. */
export async function createLightKernel(manifest: ConsoleManifest, transport: Transport = new AxiosTransport(manifest.apiBase)): Promise<LightKernel> {
  const kernel = new LightKernel(manifest);
  const local = new JsonStorage(localStorage, manifest.storagePrefix);
  const language = storedLanguage(local, manifest.language);
  const texts = new KernelTexts();
  await texts.start(language);

  const log = new ErrorLog(local);
  const bus = new MittBus();
  bus.faults$.subscribe(({ error, event, pluginId }) => log.record('plugin', error, `${pluginId ?? 'kernel'} · ${event}`));
  const toasts = new ToastQueue();
  const locale = new I18nextLocale(texts, local, language);
  kernel.onDispose(watchWindow(log));
  kernel.bind(JsonStorage, local);
  kernel.bind(ErrorLog, log);
  kernel.bind(Bus, bus);
  kernel.bind(MittBus, bus);
  kernel.bind(ToastQueue, toasts);
  kernel.bind(Toasts, toasts);
  kernel.bind(KernelTexts, texts);
  kernel.bind(Locale, locale);
  kernel.bind(Theme, new BrowserTheme(local));
  bindSession(kernel, { transport, bus, toasts, locale, log, local });
  return kernel;
}

interface SessionNeeds {
  readonly transport: Transport;
  readonly bus: Bus;
  readonly toasts: Toasts;
  readonly locale: I18nextLocale;
  readonly log: ErrorLog;
  readonly local: JsonStorage;
}

/** Http and session know each other: the session is made of calls, calls carry its token. */
function bindSession(kernel: LightKernel, { transport, local, ...shared }: SessionNeeds): void {
  const { clientId = 'sryx', statusWhitelist = [], storagePrefix, tokenTime } = kernel.manifest;
  const http: HttpClient = new HttpClient({ ...shared, transport, identity: () => session, clientId, statusWhitelist });
  const stored = new StoredSession(local, storagePrefix);
  const session: BrowserSession = new BrowserSession({ ...shared, stored, tokenTime, http: () => http, lockName: `${storagePrefix}refresh` });
  kernel.bind(Session, session);
  kernel.bind(Http, http);
}
