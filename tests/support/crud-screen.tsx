import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Activity, type ReactElement } from 'react';
import { BehaviorSubject, NEVER } from 'rxjs';
import { Bus } from '../../src/kernel/base/bus/bus.ts';
import { MittBus } from '../../src/kernel/base/bus/mitt-bus.ts';
import type { ServiceClass } from '../../src/kernel/base/container/services.ts';
import { ServicesProvider } from '../../src/kernel/base/react/services.tsx';
import type { CrudPageProps, RequiredEmptyTexts } from '../../src/kernel/crud/model/crud-screen.ts';
import { RequestedAction } from '../../src/kernel/crud/model/requested-action.ts';
import { CrudPage } from '../../src/kernel/crud/page/CrudPage.tsx';
import { PluginHost } from '../../src/kernel/host/plugin-host/plugin-host.ts';
import { JsonStorage } from '../../src/kernel/platform/browser/storage.ts';
import { Dictionaries, DictionaryRegistry } from '../../src/kernel/platform/dictionaries/dictionaries.ts';
import { Dialogs, type Question } from '../../src/kernel/platform/feedback/dialogs.ts';
import { Toasts } from '../../src/kernel/platform/feedback/toasts.ts';
import { Http } from '../../src/kernel/platform/http/http.ts';
import { I18nextLocale } from '../../src/kernel/platform/i18n/i18next-locale.ts';
import { KernelTexts } from '../../src/kernel/platform/i18n/kernel-texts.ts';
import { Locale } from '../../src/kernel/platform/i18n/locale.ts';
import { consoleTexts } from '../../src/kernel/platform/i18n/texts.ts';
import { Live } from '../../src/kernel/platform/live/live.ts';
import { Permission } from '../../src/kernel/platform/permission/permission.ts';
import { UserPreferences } from '../../src/kernel/platform/preferences/user-preferences.ts';
import { Session } from '../../src/kernel/platform/session/session.ts';
import { PageAddress } from '../../src/kernel/ui/pane/page-address.ts';
import { type Pane, PaneContext } from '../../src/kernel/ui/pane/pane-context.ts';
import { Slots } from '../../src/kernel/ui/slots/slots.ts';
import { Preview, type PreviewDeps } from '../../src/kernel/workbench/preview/preview.ts';
import type { Call, Entity } from '../../src/shared/contract/contract.ts';
import type { UserFacts } from '../../src/shared/identity/auth.ts';
import type { Language } from '../../src/shared/text/text.ts';
import { ScriptedHttp } from './scripted-http.ts';
import { onKernelEnd } from './test-kernel.ts';

/** Returns the buttons that open the records of a list: the titles of its rows. */
export const rowTitles = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.crud-table__open')];

export interface ScreenOptions {
  readonly answers: ConstructorParameters<typeof ScriptedHttp>[0];
  readonly codes?: readonly string[];
  readonly language?: Language;
  readonly pane?: Pane;
  /** Answer to confirmation dialogs. */
  readonly confirms?: boolean;
  readonly userId?: string;
  /** Contributions of other plugins. */
  readonly slots?: Slots;
  /** Additional services that the page can inject. */
  readonly services?: readonly (readonly [ServiceClass, unknown])[];
}

/** Renders a generic screen like `showPage`. */
export const showCrud = <E extends Entity>(props: CrudPageProps<E> & RequiredEmptyTexts<E>, options: ScreenOptions) =>
  showPage(<CrudPage {...props} />, options);

/** Renders a page with a scripted server, in a tab that can be hidden; toasts and confirmation dialogs are collected as texts. */
export async function showPage(page: ReactElement, options: ScreenOptions) {
  const { language = 'zh', confirms = true, userId = '1' } = options;
  const http = new ScriptedHttp(options.answers);
  const messages: string[] = [];
  const questions: string[] = [];
  const toastActions: (() => void)[] = [];
  const toast = (kind: string) => (text: string, action?: { readonly onClick: () => void }) => {
    messages.push(`${kind}: ${text}`);
    if (action) toastActions.push(action.onClick);
  };
  const codes$ = new BehaviorSubject<ReadonlySet<string>>(new Set(options.codes ?? []));
  const texts = new KernelTexts();
  await texts.start(language);
  await texts.add(consoleTexts);
  const confirm = async ({ title, content }: Question) => {
    messages.push(`asked: ${content ?? title}`);
    questions.push(title);
    return confirms;
  };
  const bus = new MittBus();
  const dictionaries = new DictionaryRegistry();
  const toasts = { success: toast('success'), info: toast('info'), warning: toast('warning'), error: toast('error') };
  const session = { user: { user_id: userId, tenant_id: '000000' }, updateRoles: ({ roleName }: UserFacts) => void messages.push(`now: ${roleName}`) };
  const preferences = new UserPreferences({ http, storage: new JsonStorage(localStorage, 'test-'), name: `preferences:${userId}` });
  // Its timers would go on in the tests that follow.
  onKernelEnd(() => preferences.dispose());
  const services = new Map<ServiceClass, unknown>([
    [Http, http],
    [KernelTexts, texts],
    [Locale, new I18nextLocale(texts, new JsonStorage(localStorage, 'test-'), language)],
    [Permission, { codes$, may: (code: string) => codes$.value.has(code) }],
    [Toasts, toasts],
    [Dialogs, { confirm }],
    [Live, { stream: () => NEVER, build$: NEVER }],
    [Bus, bus],
    [RequestedAction, new RequestedAction()],
    [Dictionaries, dictionaries],
    [Session, session],
    [PluginHost, { states: [] }],
    [Slots, options.slots ?? new Slots(() => undefined)],
    [Preview, new Preview({ http, session, toasts, texts, tabs: { closeAll: async () => confirms } } as unknown as PreviewDeps)],
    [UserPreferences, preferences],
    [JsonStorage, new JsonStorage(localStorage, 'test-')],
    ...(options.services ?? []),
  ]);
  // Like a tab, the page writes its state to the address.
  const address = new PageAddress(location.search, (search, change) => history[`${change}State`](null, '', location.pathname + search));
  const pane = options.pane ?? { setDirty: () => {}, address };
  const inTab = (shown: ReactElement | undefined, mode: 'visible' | 'hidden' = 'visible') => (
    <ServicesProvider services={{ get: <Service,>(identifier: ServiceClass<Service>) => services.get(identifier) as Service }}>
      <PaneContext value={pane}>
        <Activity mode={mode}>{shown}</Activity>
      </PaneContext>
    </ServicesProvider>
  );
  const view = render(inTab(page));
  const settle = () => act(async () => void (await new Promise((resolve) => setTimeout(resolve, 20))));
  const redraw = async (shown: ReactElement) => {
    view.rerender(shown);
    await settle();
  };
  await settle();
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  return {
    ...view,
    http,
    /** Toasts as `kind: text`, confirmation questions as `asked: text`, and changes of the role as `now: name`. */
    messages,
    questions,
    /** Buttons of the toasts, such as “Undo”. */
    toastActions,
    codes$,
    bus,
    dictionaries,
    /** Leads the page to other parameters of its address, as the browser's history does. */
    goTo: async (search: string) => {
      history.replaceState(null, '', location.pathname + search);
      address.follow(search);
      await settle();
    },
    settle,
    user,
    /** Presses a button and waits for the effects. */
    press: async (button: HTMLElement) => {
      await user.click(button);
      await settle();
    },
    /** Opens the filters of the list and returns their panel. */
    openFilters: async () => {
      await user.click(screen.getByRole('button', { name: /^筛选/ }));
      const panel = within(await screen.findByRole('dialog', { name: '筛选' }, { timeout: 10_000 }));
      await panel.findByRole('button', { name: '查询' }, { timeout: 10_000 });
      return panel;
    },
    /** Chooses an entry of the list's menu of tools. */
    chooseTool: async (name: string) => {
      await user.click(screen.getByRole('button', { name: '更多' }));
      await user.click(screen.getByRole('menuitem', { name }));
      await settle();
    },
    /** Returns the inputs of a call, in order. */
    inputs: ({ path }: Call) => http.to(path).map(({ input }) => input),
    hideTab: () => redraw(inTab(page, 'hidden')),
    showTab: () => redraw(inTab(page)),
    closeTab: () => redraw(inTab(undefined)),
  };
}
