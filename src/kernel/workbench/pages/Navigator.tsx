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
import { keyOf } from '../tabs/tab-rules.ts';
import { TabStore } from '../tabs/tab-store.ts';

/** Synchronizes address bar and tabs, follows redirects, and asks before unsaved changes are lost. Renders nothing. */
export function Navigator() {
  const { pathname, search } = useAddress();
  const bar = useService(AddressBar);
  const session = useService(Session);
  const tabs = useService(TabStore);
  const progress = useService(Progress);
  const recent = useService(RecentPages);
  const { homePath } = useRouteTable();
  const route = useResolvedRoute(pathname + search);
  const here = useRef('');

  useLayoutEffect(() => {
    const location = keyOf(pathname + search);
    // Another tab is selected and the address is about to follow, so the current address no longer matters.
    if (location === here.current && tabs.active !== undefined && tabs.active !== location) return;
    if (location !== here.current) (tabs.active === location ? progress.finish : progress.begin)();
    here.current = location;
    if (!session.verify()) return;
    if (route.kind === 'redirect') bar.replace(route.to + (route.to.startsWith(pathname) ? search : ''), { from: pathname });
    else if (isTabRoute(route)) {
      tabs.open({ location: pathname + search, isTransient: 'item' in route && route.item?.keepAlive === 1 });
      if (pathname !== homePath) recent.visit(pathname + search);
    } else tabs.leave();
  }, [pathname, search, route, homePath, bar, session, tabs, recent, progress]);

  useEffect(() => {
    // The selected tab renders first, because changing the address and updating the menu take longer.
    const following = tabs.active$.pipe(distinctUntilChanged(), skip(1), switchMap(afterNextPaint)).subscribe((active) => {
      if (active !== undefined && active !== here.current) bar.replace(active);
    });
    return () => following.unsubscribe();
  }, [tabs, bar]);

  useTitles(tabs);
  useRevokedTabs(tabs);
  useUnsavedGuard(tabs);
  useDisableGuard(tabs, pathname);
  return null;
}

const afterNextPaint = <Value,>(value: Value) => new Observable<Value>((seen) => afterPaint(() => seen.next(value)));

/** Updates the titles of all tabs when the menu arrives, the language changes or a page names itself. */
function useTitles(tabs: TabStore): void {
  const open = useStream(tabs.tabs$, []);
  const titleOf = useLocationTitle();
  const t = useTranslation();
  useLayoutEffect(() => {
    if (open.length > 0) tabs.name(({ words, location }) => (words ? t(words) : titleOf(location)));
  });
}

/** Closes tabs whose page this user no longer has, once that is certain. */
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
        const belongsToThem = (location: string) => ids.includes(pluginAt(location, routeTable) ?? '');
        return tabs.mayLose(({ location }) => belongsToThem(location), belongsToThem(pathname));
      }),
    [host, tabs, routeTable, pathname],
  );
}

/** Guards unsaved changes: pages in tabs survive leaving them; other pages ask first, and so does closing the window. */
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
