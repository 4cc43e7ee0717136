import { useEffect, useLayoutEffect, useRef } from 'react';
import { distinctUntilChanged, Observable, skip, switchMap } from 'rxjs';
import { afterPaint } from '../../base/react/after-paint.ts';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { PluginHost } from '../../host/plugin-host/plugin-host.ts';
import { Dialogs } from '../../platform/feedback/dialogs.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Session } from '../../platform/session/session.ts';
import { AddressBar } from '../routes/address-bar.ts';
import { Progress } from '../routes/progress.ts';
import { isTabRoute, pluginAt, resolve } from '../routes/resolve.ts';
import { useResolvedRoute, useRouteTable } from '../routes/route-table.tsx';
import { useLocationTitle } from '../routes/route-title.ts';
import { useAddress } from '../routes/use-address.ts';
import { RecentPages } from '../state/recent-pages.ts';
import { isSamePath, keyOf } from '../tabs/tab-rules.ts';
import { TabStore } from '../tabs/tab-store.ts';

/** Synchronizes address bar and tabs, follows redirects, and asks before unsaved changes are lost. Renders nothing. */
export function Navigator() {
  const { pathname, search, state } = useAddress();
  const bar = useService(AddressBar);
  const session = useService(Session);
  const tabs = useService(TabStore);
  const progress = useService(Progress);
  const { homePath } = useRouteTable();
  const route = useResolvedRoute(pathname + search);
  const lastLocation = useRef('');

  useLayoutEffect(() => {
    const location = keyOf(pathname + search);
    // Another tab is selected and the address is about to follow, so the current address no longer matters.
    if (location === lastLocation.current && tabs.active !== undefined && tabs.activeLocation !== location) return;
    const target = { location: pathname + search, key: tabKeyIn(state, location), isExact: bar.isBrowserNavigation || state?.isExact === true };
    if (location !== lastLocation.current) (tabs.active !== undefined && tabs.keyAt(target) === tabs.active ? progress.finish : progress.begin)();
    lastLocation.current = location;
    if (!session.verify()) return;
    if (route.kind === 'redirect') bar.replace(route.to + (route.to.startsWith(pathname) ? search : ''), { from: pathname });
    else if (isTabRoute(route)) {
      tabs.open({ ...target, isTransient: 'item' in route && route.item?.keepAlive === 1 });
      // The link named only the page, which is shown in the state in which it was left.
      if (tabs.activeLocation !== undefined && tabs.activeLocation !== location) bar.replace(tabs.activeLocation, { tab: tabs.active });
    } else tabs.leave();
  }, [pathname, search, state, route, bar, session, tabs, progress]);

  useEffect(() => {
    // The selected tab renders first, because changing the address and updating the menu take longer.
    const subscription = tabs.active$.pipe(distinctUntilChanged(), skip(1), switchMap(afterNextPaint)).subscribe((active) => {
      const location = tabs.activeLocation;
      if (active !== undefined && location !== undefined && location !== lastLocation.current) bar.replace(location, { tab: active });
    });
    subscription.add(tabs.addressChanged$.subscribe(({ key, location, change }) => bar[change](location, { tab: key })));
    return () => subscription.unsubscribe();
  }, [tabs, bar]);

  useVisits(tabs, homePath);

  useTitles(tabs);
  useRevokedTabs(tabs);
  useUnsavedGuard(tabs);
  useDisableGuard(tabs, pathname);
  return null;
}

const afterNextPaint = <Value,>(value: Value) => new Observable<Value>((subscriber) => afterPaint(() => subscriber.next(value)));

/** Returns the key of the tab that has made an entry of the browser's history, unless the entry belongs to another page. */
function tabKeyIn(state: unknown, location: string): string | undefined {
  const { tab } = (state ?? {}) as { readonly tab?: unknown };
  return typeof tab === 'string' && isSamePath(tab, location) ? tab : undefined;
}

/** Records the visible page and its state among the recent pages. */
function useVisits(tabs: TabStore, homePath: string): void {
  const recent = useService(RecentPages);
  const open = useStream(tabs.tabs$, []);
  const active = useStream(tabs.active$, undefined);
  const page = open.find(({ key }) => key === active);
  useEffect(() => {
    if (page && page.key !== homePath) recent.visit(page);
  }, [page, homePath, recent]);
}

/** Updates the titles of all tabs when the menu has loaded, the language changes or a page sets its own title. */
function useTitles(tabs: TabStore): void {
  const open = useStream(tabs.tabs$, []);
  const titleOf = useLocationTitle();
  const t = useTranslation();
  useLayoutEffect(() => {
    if (open.length > 0) tabs.name(({ ownTitle, location }) => (ownTitle ? t(ownTitle) : titleOf(location)));
  });
}

/** Closes tabs of pages that are no longer in the user's menu, once the menu and the plugins have loaded. */
function useRevokedTabs(tabs: TabStore): void {
  const routeTable = useRouteTable();
  useEffect(() => {
    if (routeTable.menu.status !== 'ready' || !routeTable.isSettled) return;
    tabs.retain(({ location }) => resolve(location, routeTable).kind !== 'redirect');
  }, [routeTable, tabs]);
}

/** Asks before a plugin is disabled whose pages have unsaved changes. */
function useDisableGuard(tabs: TabStore, pathname: string): void {
  const host = useService(PluginHost);
  const routeTable = useRouteTable();
  useEffect(
    () =>
      host.guard((ids) => {
        const belongsToPlugins = (location: string) => ids.includes(pluginAt(location, routeTable) ?? '');
        return tabs.confirmDiscard(({ location }) => belongsToPlugins(location), belongsToPlugins(pathname));
      }),
    [host, tabs, routeTable, pathname],
  );
}

/** Guards unsaved changes. A page in a tab keeps them when another tab is shown; a page without a tab asks before the user leaves it. The browser asks before the window closes. */
function useUnsavedGuard(tabs: TabStore): void {
  const t = useTranslation();
  const dialogs = useService(Dialogs);
  const bar = useService(AddressBar);

  useEffect(() => {
    const question = { title: t('tabs.unsavedTitle'), content: t('tabs.unsavedLeave'), confirm: t('tabs.discard'), cancel: t('tabs.keepEditing') };
    const ask = async () => {
      const discards = await dialogs.confirm({ ...question, danger: true });
      if (discards) tabs.isDetachedPageDirty = false;
      return discards;
    };
    return bar.guard({ isNeeded: () => tabs.isDetachedPageDirty, ask });
  }, [bar, dialogs, tabs, t]);

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (tabs.isDirty) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [tabs]);
}
