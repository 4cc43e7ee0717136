import '../platform/theme/arco.css';
import '../platform/theme/controls.css';
import '../platform/theme/outlined.css';
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { Router } from 'react-router-dom';
import type { Container } from '../base/container/container.ts';
import { ServicesProvider, useService } from '../base/react/services.tsx';
import { useStore } from '../base/react/use-store.ts';
import { RequestedAction } from '../crud/model/requested-action.ts';
import type { LoadablePlugin } from '../host/plugin/plugin.ts';
import { withRemotes } from '../host/remote/remote-entry.ts';
import { JsonStorage } from '../platform/browser/storage.ts';
import { Dialogs } from '../platform/feedback/dialogs.ts';
import { Toasts } from '../platform/feedback/toasts.ts';
import { Http } from '../platform/http/http.ts';
import { KernelTexts } from '../platform/i18n/kernel-texts.ts';
import { Locale } from '../platform/i18n/locale.ts';
import { useTranslation } from '../platform/i18n/use-translation.ts';
import { ScreenLock } from '../platform/lock/screen-lock.ts';
import { UserPreferences } from '../platform/preferences/user-preferences.ts';
import { Session } from '../platform/session/session.ts';
import { Branding } from '../platform/theme/branding.ts';
import { ArcoLocale } from '../ui/arco/ArcoLocale.tsx';
import { ArcoDialogs } from '../ui/arco/arco-dialogs.ts';
import { PageBoundary } from '../ui/errors/PageBoundary.tsx';
import { ProblemView } from '../ui/errors/ProblemView.tsx';
import { clearServerCache } from '../workbench/actions/clear-cache.ts';
import { Layout } from '../workbench/layout/Layout.tsx';
import { watchIdleness } from '../workbench/lock/idle-watch.ts';
import { Preview } from '../workbench/preview/preview.ts';
import { AddressBar } from '../workbench/routes/address-bar.ts';
import { Progress } from '../workbench/routes/progress.ts';
import { RouteTableProvider } from '../workbench/routes/route-table.tsx';
import { MaximizedContent } from '../workbench/state/maximized-content.ts';
import { OpenOverlay } from '../workbench/state/open-overlay.ts';
import { Preferences } from '../workbench/state/preferences.ts';
import { RecentPages } from '../workbench/state/recent-pages.ts';
import { RecentRecords } from '../workbench/state/recent-records.ts';
import { TabMemory } from '../workbench/tabs/tab-memory.ts';
import type { OpenPage } from '../workbench/tabs/tab-rules.ts';
import { TabStore } from '../workbench/tabs/tab-store.ts';
import { Tabs } from '../workbench/tabs/tabs.ts';
import { type BootOptions, bootConsole, type ConsoleKernel } from './boot.ts';
import type { CoreServices } from './core-services.ts';
import type { OpenConsole } from './Root.tsx';

/** Starts the kernel for the signed-in user and opens the shell; closing disposes of both. */
export function openConsole(
  core: CoreServices,
  entries: readonly LoadablePlugin[],
  options: Pick<BootOptions, 'startTimeoutMs' | 'phaseTimeoutMs'> = {},
): OpenConsole & { readonly kernel: ConsoleKernel } {
  const kernel = bootConsole(core, withRemotes(entries, core.manifest.remotes), {
    ...options,
    bind: (container) => bindShell(core, container),
  });
  const { homePath, frames, modes } = core.manifest;
  const { name, title } = core.get(Branding);
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

function bindShell(core: CoreServices, container: Container): () => void {
  const { storagePrefix, homePath } = core.manifest;
  const user = core.get(Session).user;
  const owner = `${user?.tenant_id}/${user?.user_id}`;
  const local = new JsonStorage(localStorage, storagePrefix);
  const dialogs = new ArcoDialogs(core.get(Locale));
  const preferences = new Preferences(local, `shell:${owner}`);
  const memory = new TabMemory({ window: new JsonStorage(sessionStorage, storagePrefix), browser: local, owner, build: process.env.MARQUEE_BUILD ?? '' });
  // A new sign-in starts at home with fresh server data; a reload continues with the open pages.
  if (core.get(Session).hasSignedInSinceLoad) {
    memory.clear();
    clearServerCache(container.get(Http));
  }
  const userPreferences = new UserPreferences({ http: container.get(Http), storage: local, name: `preferences:${owner}` });
  void userPreferences.load();
  const tabs = new TabStore({
    homePath,
    memory,
    mayDiscard: (pages) => askToDiscard(core, dialogs, pages),
    preferences$: preferences.state$,
  });
  const addressBar = new AddressBar();
  container.bind(AddressBar, addressBar);
  container.bind(Dialogs, dialogs);
  container.bind(Preferences, preferences);
  container.bind(UserPreferences, userPreferences);
  container.bind(RecentPages, new RecentPages(local, `recent:${owner}`));
  container.bind(Progress, new Progress());
  container.bind(MaximizedContent, new MaximizedContent());
  container.bind(RecentRecords, new RecentRecords(local, `records:${owner}`));
  container.bind(RequestedAction, new RequestedAction());
  container.bind(OpenOverlay, new OpenOverlay());
  container.bind(TabStore, tabs);
  container.bind(Tabs, tabs);
  container.bind(Preview, new Preview({ http: container.get(Http), session: core.get(Session), tabs, toasts: core.get(Toasts), texts: core.get(KernelTexts) }));
  const stopWatching = watchIdleness({ lock: core.get(ScreenLock), preferences, storage: local });
  // An open question would stay above the lock screen.
  const lockSubscription = core.get(ScreenLock).isLocked$.subscribe((isLocked) => isLocked && dialogs.dispose());
  return () => {
    stopWatching();
    lockSubscription.unsubscribe();
    addressBar.dispose();
    dialogs.dispose();
    tabs.dispose();
    userPreferences.dispose();
  };
}

function askToDiscard(core: CoreServices, dialogs: Dialogs, pages: readonly OpenPage[]): Promise<boolean> {
  const texts = core.get(KernelTexts);
  const titles = pages.map(({ title }) => title).join(core.get(Locale).language === 'zh' ? '、' : ', ');
  return dialogs.confirm({
    title: texts.text('tabs.unsavedTitle'),
    content: pages.length > 0 ? texts.text('tabs.unsavedQuestion', { title: titles }) : texts.text('tabs.unsavedLeave'),
    confirm: texts.text('tabs.discard'),
    cancel: texts.text('tabs.keepEditing'),
    danger: true,
  });
}

/** Replaces the whole shell when a part of it, not a page, has failed. */
function ShellFailure({ error }: { readonly error: unknown }) {
  const t = useTranslation();
  return (
    <ProblemView
      scene="broken"
      title={t('errors.brokenTitle')}
      explanation={t('errors.broken')}
      details={error instanceof Error ? (error.stack ?? error.message) : String(error)}
      actions={[{ label: t('errors.retry'), onAction: () => window.location.reload() }]}
    />
  );
}

const Watermark = lazy((): Promise<{ default: ComponentType }> => import('../workbench/layout/Watermark.tsx').catch(() => ({ default: () => null })));

/** Renders the watermark where the preferences enable it, loaded on demand. */
function WatermarkLayer() {
  const isEnabled = useStore(useService(Preferences), ({ watermark }) => watermark);
  return <Suspense>{isEnabled && <Watermark />}</Suspense>;
}

/**
 * Lets the links and pages below change the address, but does not render them again when it changes: that would make React visit every page of every tab
 * at each navigation, even hidden ones. Pages receive the location of their tab; components that follow the window use `useAddress`.
 */
function AddressRouter({ children }: { readonly children: ReactNode }) {
  const bar = useService(AddressBar);
  const [initialLocation] = useState(bar.location);
  return (
    // With transitions React would replace the history entry, and the router's state with it, to show the browser's loading indicator.
    <Router location={initialLocation} navigator={bar} useTransitions={false}>
      {children}
    </Router>
  );
}
