import type { Manifest } from '#shared/manifest';
import { Bus } from '../base/bus/bus.ts';
import { MittBus } from '../base/bus/mitt-bus.ts';
import type { ServiceClass, Services } from '../base/container/services.ts';
import { JsonStorage } from '../platform/browser/storage.ts';
import { Connection } from '../platform/connection/connection.ts';
import { ConnectivityTransport } from '../platform/connection/connectivity-transport.ts';
import { ErrorLog, recordWindowErrors } from '../platform/errors/error-log.ts';
import { ToastQueue } from '../platform/feedback/toast-queue.ts';
import { Toasts } from '../platform/feedback/toasts.ts';
import { AxiosTransport } from '../platform/http/axios-transport.ts';
import { Http } from '../platform/http/http.ts';
import { HttpClient } from '../platform/http/http-client.ts';
import { clientHeadersOf } from '../platform/http/request.ts';
import { Transport } from '../platform/http/transport.ts';
import { showTransportError } from '../platform/http/transport-error.ts';
import { I18nextLocale, initialLanguage } from '../platform/i18n/i18next-locale.ts';
import { KernelTexts } from '../platform/i18n/kernel-texts.ts';
import { Locale } from '../platform/i18n/locale.ts';
import { ScreenLock } from '../platform/lock/screen-lock.ts';
import { SessionLock } from '../platform/lock/session-lock.ts';
import { BrowserSession } from '../platform/session/browser-session.ts';
import { IdentityReturns } from '../platform/session/identity-returns.ts';
import { ProofPrompt } from '../platform/session/proof-prompt.ts';
import { Session, SignedOut } from '../platform/session/session.ts';
import { StoredSession } from '../platform/session/stored-session.ts';
import { Branding } from '../platform/theme/branding.ts';
import { BrowserTheme } from '../platform/theme/browser-theme.ts';
import { Theme } from '../platform/theme/theme.ts';
import { type SignInMethod, SignInMethodList } from '../workbench/sign-in/steps/sign-in-method.ts';

/** Core services of the sign-in page that the console keeps using: bus, errors, locale, theme, toasts, http, session. */
export class CoreServices implements Services {
  private readonly services = new Map<ServiceClass, unknown>();
  private readonly disposers: (() => void)[] = [];

  constructor(readonly manifest: Manifest) {}

  get<Service>(service: ServiceClass<Service>): Service {
    if (!this.services.has(service)) throw new Error(`${service.name} is not a core service`);
    return this.services.get(service) as Service;
  }

  /** Binds a class or port to this instance, which is disposed of with the core services when it has a `dispose`. */
  bind<Service>(identifier: ServiceClass<Service>, instance: Service & { dispose?: () => void }): void {
    this.services.set(identifier, instance);
    if (instance.dispose) this.disposers.push(() => instance.dispose?.());
  }

  onDispose(disposer: () => void): void {
    this.disposers.push(disposer);
  }

  /** Lists every service by its identifier, for the console's container. */
  entries(): IterableIterator<[ServiceClass, unknown]> {
    return this.services.entries();
  }

  dispose(): void {
    for (const dispose of this.disposers.splice(0).reverse()) dispose();
  }
}

/** Starts the core services; resolves once the texts of the current language are loaded. */
export async function createCoreServices(
  manifest: Manifest,
  fetchSignInMethods: () => Promise<readonly SignInMethod[]>,
  baseTransport: Transport = new AxiosTransport(manifest.apiBase),
): Promise<CoreServices> {
  const core = new CoreServices(manifest);
  const local = new JsonStorage(localStorage, manifest.storagePrefix);
  const language = initialLanguage(local, manifest.language);
  const texts = new KernelTexts();
  await texts.start(language);

  const log = new ErrorLog(local);
  const transport = await createTransport(manifest, baseTransport, log);
  const bus = new MittBus();
  bus.listenerErrors$.subscribe(({ error, event, pluginId }) => log.record('plugin', error, `${pluginId ?? 'kernel'} · ${event}`));
  const toasts = new ToastQueue();
  const locale = new I18nextLocale(texts, local, language);
  // A request without a reply is shown as a toast here, so that handlers of buttons need not catch it.
  core.onDispose(recordWindowErrors(log, (reason) => showTransportError(reason, toasts, locale)));
  core.bind(JsonStorage, local);
  core.bind(ErrorLog, log);
  core.bind(Bus, bus);
  core.bind(MittBus, bus);
  core.bind(ToastQueue, toasts);
  core.bind(Toasts, toasts);
  core.bind(Transport, transport);
  core.bind(KernelTexts, texts);
  core.bind(Locale, locale);
  core.bind(IdentityReturns, new IdentityReturns(new JsonStorage(sessionStorage, manifest.storagePrefix)));
  core.bind(SignInMethodList, new SignInMethodList(fetchSignInMethods));
  core.bind(Branding, new Branding(manifest));
  core.bind(Theme, new BrowserTheme(local, manifest.theme));
  const connection = new Connection(() => isReady(transport));
  core.bind(Connection, connection);
  bindSession(core, { transport: new ConnectivityTransport(transport, connection), bus, toasts, locale, log, local });
  return core;
}

/** Returns the transport that the manifest configures. The code for traces and encryption is loaded only if it is enabled. A page on an insecure origin cannot encrypt, so it sends its requests unencrypted and logs this. */
async function createTransport({ requests = {}, traces }: Manifest, base: Transport, log: ErrorLog): Promise<Transport> {
  const transport = traces ? new (await import('../platform/http/traced-transport.ts')).TracedTransport(base) : base;
  if (!requests.tokenKey && !requests.bodyKey) return transport;
  if (globalThis.crypto?.subtle) return (await import('../platform/http/encrypted-transport.ts')).encryptedTransport(transport, requests);
  log.record('request', 'Requests are sent unencrypted, because browsers can encrypt only on secure origins (https or localhost)');
  return transport;
}

/** Tests whether the server accepts requests. */
async function isReady(transport: Transport): Promise<boolean> {
  const { status } = await transport.request({ method: 'GET', path: '/health/ready', headers: {}, signal: AbortSignal.timeout(4000) });
  return status === 200;
}

interface SessionServicesDeps {
  readonly transport: Transport;
  readonly bus: Bus;
  readonly toasts: Toasts;
  readonly locale: I18nextLocale;
  readonly log: ErrorLog;
  readonly local: JsonStorage;
}

/** Binds Http and session together, because each needs the other: the session sends calls, calls carry its token. */
function bindSession(core: CoreServices, { transport, local, ...shared }: SessionServicesDeps): void {
  const { clientId, statusWhitelist = [], storagePrefix, tokenTime, expiredSession } = core.manifest;
  const prompt = new ProofPrompt();
  core.bind(ProofPrompt, prompt);
  core.onDispose(shared.bus.on(SignedOut, () => prompt.close(false)));
  const http: HttpClient = new HttpClient({
    ...shared,
    transport,
    identity: () => session,
    clientId,
    clientHeaders: clientHeadersOf(core.manifest),
    statusWhitelist,
    prove: () => prompt.ask(),
  });
  const stored = new StoredSession(local, storagePrefix, new JsonStorage(sessionStorage, storagePrefix));
  const session: BrowserSession = new BrowserSession({
    ...shared,
    stored,
    tokenTime,
    keepsPage: expiredSession !== 'signIn',
    http: () => http,
    lockName: `${storagePrefix}refresh`,
  });
  core.bind(Session, session);
  core.bind(ScreenLock, new SessionLock({ http, session, bus: shared.bus, locale: shared.locale, storage: local }));
  core.bind(Http, http);
}
