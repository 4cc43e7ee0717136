import { expect } from '@rstest/core';
import type { TokenReply } from '#shared/auth';
import { oauth } from '#shared/auth';
import type { EventToken } from '#shared/contract';
import type { Manifest } from '#shared/manifest';
import { type MenuItem, menuButtons, menuRoutes } from '#shared/menus';
import type { Disposer } from '../../src/kernel/base/bus/bus.ts';
import { MittBus } from '../../src/kernel/base/bus/mitt-bus.ts';
import type { ServiceClass } from '../../src/kernel/base/container/services.ts';
import { type BootOptions, bootConsole, type ConsoleKernel } from '../../src/kernel/boot/boot.ts';
import { type CoreServices, createCoreServices } from '../../src/kernel/boot/core-services.ts';
import type { LoadablePlugin, Plugin } from '../../src/kernel/host/plugin/plugin.ts';
import { ToastQueue } from '../../src/kernel/platform/feedback/toast-queue.ts';
import { Toasts } from '../../src/kernel/platform/feedback/toasts.ts';
import { KernelTexts } from '../../src/kernel/platform/i18n/kernel-texts.ts';
import { consoleTexts } from '../../src/kernel/platform/i18n/texts.ts';
import { Session } from '../../src/kernel/platform/session/session.ts';
import type { SignInMethod } from '../../src/kernel/workbench/sign-in/steps/sign-in-method.ts';
import { watchForLeaks } from './leaks.ts';
import { answer, type ScriptedAnswer, ScriptedTransport } from './scripted-transport.ts';
import { testManifest } from './test-manifest.ts';

/** Returns a token reply; each grant has a number of its own. */
export function tokenReply(number: number | string = 1, change: Partial<TokenReply> = {}): TokenReply {
  const names = { account: 'admin', user_name: 'admin', nick_name: '管理员', real_name: '管理员', role_name: 'administrator', avatar: '' };
  const ids = { tenant_id: '000000', user_id: '1', dept_id: '', post_id: '', role_id: '', oauth_id: '', depart_id: '', company_id: '' };
  const tokens = { access_token: `access-${number}`, refresh_token: `refresh-${number}`, token_type: 'bearer' as const, expires_in: 3600 };
  return { ...names, ...ids, ...tokens, is_admin: 0, password_expired: false, detail: { type: 'web' }, ...change };
}

/** Records the toasts instead of showing them. */
export class RecordedToasts extends Toasts {
  readonly shown: string[] = [];
  success = (text: string) => void this.shown.push(`success ${text}`);
  info = (text: string) => void this.shown.push(`info ${text}`);
  warning = (text: string) => void this.shown.push(`warning ${text}`);
  error = (text: string) => void this.shown.push(`error ${text}`);
}

/** Returns a menu entry on the wire with defaults for the other fields. */
export const menuItem = (code: string, change: Partial<MenuItem> = {}): MenuItem => ({
  id: code,
  parentId: '0',
  code,
  name: code,
  alias: 'menu',
  path: `/${code}`,
  source: '',
  sort: 1,
  category: 1,
  isOpen: 1,
  remark: null,
  ...change,
});

interface CoreServicesOptions {
  readonly answers?: readonly ScriptedAnswer[];
  readonly manifest?: Partial<Manifest>;
  /** Sign-in methods of plugins. */
  readonly signInMethods?: readonly SignInMethod[];
  /** Tokens of a signed-in user; `null` for none. */
  readonly signedIn?: TokenReply | null;
}

export interface TestKernelOptions extends BootOptions, CoreServicesOptions {
  readonly plugins?: readonly (Plugin | LoadablePlugin)[];
}

/** The core services on a scripted network. */
export interface TestCoreServices {
  readonly core: CoreServices;
  readonly transport: ScriptedTransport;
  readonly toasts: RecordedToasts;
  readonly session: Session;
  /** Subscribes to an event until the test ends. */
  listen<Payload>(event: EventToken<Payload>, listener: (payload: Payload) => void): void;
}

/** The whole kernel on a scripted network. */
export interface TestKernel extends ConsoleKernel, TestCoreServices {
  get<Service>(service: ServiceClass<Service>): Service;
}

const endCallbacks: (() => void)[] = [];
let leaks: ReturnType<typeof watchForLeaks> | undefined;

/** Ends the kernels of the finished test and fails on their leaks. A failed test may have skipped its own clean-up, so its leaks are ignored. `between-tests.ts` calls it after each test. */
export async function endKernels({ hasFailed }: { readonly hasFailed: boolean }): Promise<void> {
  for (const end of endCallbacks.splice(0).reverse()) end();
  localStorage.clear();
  sessionStorage.clear();
  const remaining = (await leaks?.stop()) ?? [];
  leaks = undefined;
  if (!hasFailed) expect(remaining).toEqual([]);
}

/** Registers a function that runs before the test's kernel ends. */
export const onKernelEnd = (end: () => void): void => void endCallbacks.push(end);

/** Creates the core services, signed in by default. They end with the test, which fails on any remaining listener, subscription or timer. */
export async function testCoreServices(options: CoreServicesOptions = {}): Promise<TestCoreServices> {
  return startCoreServices(options, () => undefined);
}

/** Creates the whole kernel without a screen and waits until it is idle. It ends with the test, which fails on any remaining listener, subscription or timer. */
export async function testKernel({ plugins = [], ...options }: TestKernelOptions = {}): Promise<TestKernel> {
  let console: ConsoleKernel | undefined;
  const services = await startCoreServices(options, () => console?.dispose());
  console = bootConsole(services.core, plugins.map(entryOf), { phaseTimeoutMs: 50, ...options });
  await console.settled;
  const { container } = console;
  return { ...console, ...services, get: (service) => container.get(service) };
}

async function startCoreServices(
  { answers = [], manifest = {}, signInMethods = [], signedIn = tokenReply() }: CoreServicesOptions,
  stopConsole: () => void,
): Promise<TestCoreServices> {
  leaks ??= watchForLeaks();
  const transport = new ScriptedTransport([
    answer(oauth.token, tokenReply()),
    answer(menuRoutes, []),
    answer(menuButtons, []),
    answer(oauth.logout, null),
    ...answers,
  ]);
  const core = await createCoreServices({ ...testManifest, ...manifest }, async () => signInMethods, transport);
  await core.get(KernelTexts).add(consoleTexts);
  const bus = core.get(MittBus);
  const toasts = new RecordedToasts();
  core.get(ToastQueue).attach(toasts);
  const disposers: Disposer[] = [];
  const ownListeners = bus.size;
  endCallbacks.push(() => {
    stopConsole();
    for (const dispose of disposers) dispose();
    const listeners = Math.max(0, bus.size - ownListeners);
    core.dispose();
    expect({ listeners }).toEqual({ listeners: 0 });
  });
  if (signedIn) await signInAs(core, transport, signedIn);
  const listen: TestCoreServices['listen'] = (event, listener) => void disposers.push(bus.on(event, listener));
  return { core, transport, toasts, session: core.get(Session), listen };
}

async function signInAs(core: CoreServices, transport: ScriptedTransport, reply: TokenReply): Promise<void> {
  const [path, scripted] = answer(oauth.token, reply);
  transport.answer([path, scripted]);
  await core.get(Session).signIn({ tenantId: reply.tenant_id, username: reply.account, password: 'secret' });
  transport.requests.length = 0;
}

/** Wraps a plugin in the entry that the build would generate. */
export const entryOf = (plugin: Plugin | LoadablePlugin): LoadablePlugin =>
  'load' in plugin ? plugin : { id: plugin.id, load: () => Promise.resolve({ default: plugin }) };
