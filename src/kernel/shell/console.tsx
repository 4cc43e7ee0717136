import '../theme/arco.css';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { Session } from '../auth/session.ts';
import { bootConsole } from '../boot.ts';
import type { Container } from '../container.ts';
import { KernelTexts } from '../i18n/kernel-texts.ts';
import { Locale } from '../i18n/locale.ts';
import type { LightKernel } from '../light.ts';
import type { PluginEntry } from '../plugin.ts';
import { AtlasProvider } from '../router/atlas.tsx';
import { Progress } from '../router/progress.ts';
import { ServicesProvider } from '../services.tsx';
import { JsonStorage } from '../storage.ts';
import { TabMemory } from '../tabs/tab-memory.ts';
import type { OpenPage } from '../tabs/tab-rules.ts';
import { TabStore } from '../tabs/tab-store.ts';
import { Tabs } from '../tabs/tabs.ts';
import { ArcoLocale } from './ArcoLocale.tsx';
import { ArcoDialogs } from './arco-dialogs.ts';
import { Dialogs } from './dialogs.ts';
import { Layout } from './Layout.tsx';
import { Preferences } from './preferences.ts';
import type { OpenConsole } from './Root.tsx';
import { RecentPages } from './recent-pages.ts';

/** Boots the kernel for whoever is signed in and opens the shell; closing it takes both back. */
export function openConsole(light: LightKernel, entries: readonly PluginEntry[]): OpenConsole {
  const kernel = bootConsole(light, entries, { bind: (container) => bindShell(light, container) });
  const { homePath, product } = light.manifest;
  const router = createBrowserRouter([{ path: '*', element: <Layout product={product} /> }]);
  const screen = (
    <ServicesProvider services={kernel.container}>
      <ArcoLocale>
        <AtlasProvider homePath={homePath}>
          {/* As transitions, slow navigations make React replace the history entry, and with it the router's own state, to spin the browser's wheel. */}
          <RouterProvider router={router} useTransitions={false} />
        </AtlasProvider>
      </ArcoLocale>
    </ServicesProvider>
  );
  const close = () => {
    router.dispose();
    kernel.dispose();
  };
  return { screen, close };
}

function bindShell(light: LightKernel, container: Container): () => void {
  const { storagePrefix, homePath } = light.manifest;
  const user = light.get(Session).user;
  const owner = `${user?.tenant_id}/${user?.user_id}`;
  const local = new JsonStorage(localStorage, storagePrefix);
  const dialogs = new ArcoDialogs();
  const preferences = new Preferences(local, `shell:${owner}`);
  const tabs = new TabStore({
    homePath,
    memory: new TabMemory(new JsonStorage(sessionStorage, storagePrefix), `tabs:${owner}`),
    mayDiscard: (pages) => askToDiscard(light, dialogs, pages),
    isHomeClosable: () => preferences.state.homeTabClosable,
  });
  container.bind(Dialogs, dialogs);
  container.bind(Preferences, preferences);
  container.bind(RecentPages, new RecentPages(local, `recent:${owner}`));
  container.bind(Progress, new Progress());
  container.bind(TabStore, tabs);
  container.bind(Tabs, tabs);
  return () => {
    dialogs.dispose();
    tabs.clear();
  };
}

function askToDiscard(light: LightKernel, dialogs: Dialogs, pages: readonly OpenPage[]): Promise<boolean> {
  const texts = light.get(KernelTexts);
  const separator = light.get(Locale).language === 'zh' ? '、' : ', ';
  return dialogs.confirm({
    title: texts.text('tabs.unsavedTitle'),
    content: texts.text('tabs.unsavedQuestion', { title: pages.map(({ title }) => title).join(separator) }),
    confirm: texts.text('tabs.discard'),
    cancel: texts.text('tabs.keepEditing'),
    danger: true,
  });
}
