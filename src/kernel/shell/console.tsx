import '../theme/arco.css';
import '../theme/controls.css';
import '../theme/outlined.css';
import { fetchLoader } from '#deployment/remotes';
import { Session } from '../auth/session.ts';
import { type BootOptions, bootConsole, type ConsoleKernel } from '../boot.ts';
import type { Container } from '../container.ts';
import type { CoreServices } from '../core-services.ts';
import { PageBoundary } from '../errors/PageBoundary.tsx';
import { Http } from '../http/http.ts';
import { KernelTexts } from '../i18n/kernel-texts.ts';
import { Locale } from '../i18n/locale.ts';
import { Live } from '../live/live.ts';
import { watchIdleness } from '../lock/idle-watch.ts';
import { ScreenLock } from '../lock/screen-lock.ts';
import { PaletteView } from '../palette/palette-view.ts';
import type { PluginEntry } from '../plugin.ts';
import { UserPreferences } from '../preferences/user-preferences.ts';
import { Preview } from '../preview/preview.ts';
import { withRemotes } from '../remote/remote-entry.ts';
import { AddressRouter } from '../router/AddressRouter.tsx';
import { AddressBar } from '../router/address-bar.ts';
import { Progress } from '../router/progress.ts';
import { RouteTableProvider } from '../router/route-table.tsx';
import { ServicesProvider } from '../services.tsx';
import { JsonStorage } from '../storage.ts';
import { ContentView } from '../tabs/content-view.ts';
import { TabMemory } from '../tabs/tab-memory.ts';
import type { OpenPage } from '../tabs/tab-rules.ts';
import { TabStore } from '../tabs/tab-store.ts';
import { Tabs } from '../tabs/tabs.ts';
import { TransferCentre } from '../transfers/transfer-centre.ts';
import { ArcoLocale } from './ArcoLocale.tsx';
import { ArcoDialogs } from './arco-dialogs.ts';
import { Branding } from './branding.ts';
import { clearServerCache } from './clear-cache.ts';
import { Dialogs } from './dialogs.ts';
import { Layout } from './Layout.tsx';
import { Preferences } from './preferences.ts';
import type { OpenConsole } from './Root.tsx';
import { RecentPages } from './recent-pages.ts';
import { ShellFailure } from './ShellFailure.tsx';
import { Toasts } from './toasts.ts';
import { WatermarkLayer } from './WatermarkLayer.tsx';

/** Starts the kernel for the signed-in user and opens the shell; closing disposes of both. */
export function openConsole(
  light: CoreServices,
  entries: readonly PluginEntry[],
  options: Pick<BootOptions, 'startTimeoutMs' | 'timeLimit'> = {},
): OpenConsole & { readonly kernel: ConsoleKernel } {
  const kernel = bootConsole(light, withRemotes(entries, light.manifest.remotes, fetchLoader), {
    ...options,
    bind: (container) => bindShell(light, container),
  });
  const { homePath, frames, modes } = light.manifest;
  const { name, title } = light.get(Branding);
  const screen = (
    <ServicesProvider services={kernel.container}>
      <ArcoLocale>
        <RouteTableProvider homePath={homePath} frames={frames}>
          <AddressRouter>
            <PageBoundary isShell onError={(error) => window.reportError(error)} fallback={(error) => <ShellFailure error={error} />}>
              <Layout product={{ name, title }} modes={modes} />
            </PageBoundary>
          </AddressRouter>
        </RouteTableProvider>
        <WatermarkLayer />
      </ArcoLocale>
    </ServicesProvider>
  );
  return { screen, kernel, close: () => kernel.dispose() };
}

function bindShell(light: CoreServices, container: Container): () => void {
  const { storagePrefix, homePath } = light.manifest;
  const user = light.get(Session).user;
  const owner = `${user?.tenant_id}/${user?.user_id}`;
  const local = new JsonStorage(localStorage, storagePrefix);
  const dialogs = new ArcoDialogs();
  const preferences = new Preferences(local, `shell:${owner}`);
  const memory = new TabMemory({ window: new JsonStorage(sessionStorage, storagePrefix), browser: local, owner, build: process.env.MARQUEE_BUILD ?? '' });
  // A new sign-in starts at home with fresh server data; a reload continues with the open pages.
  if (light.get(Session).hasBegunHere) {
    memory.forget();
    clearServerCache(container.get(Http));
  }
  const userPreferences = new UserPreferences({ http: container.get(Http), storage: local, name: `preferences:${owner}` });
  void userPreferences.load();
  const tabs = new TabStore({
    homePath,
    memory,
    mayDiscard: (pages) => askToDiscard(light, dialogs, pages),
    likings$: preferences.state$,
  });
  const addressBar = new AddressBar();
  container.bind(AddressBar, addressBar);
  container.bind(Dialogs, dialogs);
  container.bind(Preferences, preferences);
  container.bind(UserPreferences, userPreferences);
  const centre = new TransferCentre(container.get(Http), container.get(Live));
  container.bind(TransferCentre, centre);
  container.bind(RecentPages, new RecentPages(local, `recent:${owner}`));
  container.bind(Progress, new Progress());
  container.bind(ContentView, new ContentView());
  container.bind(PaletteView, new PaletteView());
  container.bind(TabStore, tabs);
  container.bind(Tabs, tabs);
  container.bind(
    Preview,
    new Preview({ http: container.get(Http), session: light.get(Session), tabs, toasts: light.get(Toasts), texts: light.get(KernelTexts) }),
  );
  const stopWatching = watchIdleness({ lock: light.get(ScreenLock), preferences, storage: local });
  const closeQuestions = light.get(ScreenLock).isLocked$.subscribe((isLocked) => isLocked && dialogs.dispose());
  return () => {
    stopWatching();
    closeQuestions.unsubscribe();
    addressBar.dispose();
    dialogs.dispose();
    tabs.dispose();
    userPreferences.dispose();
    centre.dispose();
  };
}

function askToDiscard(light: CoreServices, dialogs: Dialogs, pages: readonly OpenPage[]): Promise<boolean> {
  const texts = light.get(KernelTexts);
  const titles = pages.map(({ title }) => title).join(light.get(Locale).language === 'zh' ? '、' : ', ');
  return dialogs.confirm({
    title: texts.text('tabs.unsavedTitle'),
    content: pages.length > 0 ? texts.text('tabs.unsavedQuestion', { title: titles }) : texts.text('tabs.unsavedLeave'),
    confirm: texts.text('tabs.discard'),
    cancel: texts.text('tabs.keepEditing'),
    danger: true,
  });
}
