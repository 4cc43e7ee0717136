import { useEffect, useLayoutEffect, useRef } from 'react';
import { distinctUntilChanged, Observable, skip, switchMap } from 'rxjs';
import { afterPaint } from '../after-paint.ts';
import { Session } from '../auth/session.ts';
import { useText, useWords } from '../i18n/use-words.ts';
import { PluginHost } from '../plugin-host/plugin-host.ts';
import { useService } from '../services.tsx';
import { Dialogs } from '../shell/dialogs.ts';
import { RecentPages } from '../shell/recent-pages.ts';
import { keyOf } from '../tabs/tab-rules.ts';
import { TabStore } from '../tabs/tab-store.ts';
import { useStream } from '../use-stream.ts';
import { AddressBar } from './address-bar.ts';
import { useAtlas, usePlace } from './atlas.tsx';
import { useLocationTitle } from './place-title.ts';
import { Progress } from './progress.ts';
import { isTabPlace, pluginAt, resolve } from './resolve.ts';
import { useAddress } from './use-address.ts';

/** Keeps address bar and tabs in step, follows redirects, and asks before unsaved changes are left behind. Shows nothing. */
export function Navigator() {
  const { pathname, search } = useAddress();
  const bar = useService(AddressBar);
  const session = useService(Session);
  const tabs = useService(TabStore);
  const progress = useService(Progress);
  const recent = useService(RecentPages);
  const { homePath } = useAtlas();
  const place = usePlace(pathname + search);
  const here = useRef('');

  useLayoutEffect(() => {
    const location = keyOf(pathname + search);
    // Another tab was chosen and the address is about to follow: what this one leads to by now concerns nobody.
    if (location === here.current && tabs.active !== undefined && tabs.active !== location) return;
    if (location !== here.current) (tabs.active === location ? progress.finish : progress.begin)();
    here.current = location;
    if (!session.verify()) return;
    if (place.kind === 'redirect') bar.replace(place.to + (place.to.startsWith(pathname) ? search : ''), { from: pathname });
    else if (isTabPlace(place)) {
      tabs.open({ location: pathname + search, isFleeting: 'item' in place && place.item?.keepAlive === 1 });
      if (pathname !== homePath) recent.visit(pathname + search);
    } else tabs.leave();
  }, [pathname, search, place, homePath, bar, session, tabs, recent, progress]);

  useEffect(() => {
    // The tab is seen chosen first: the browser takes its time over an address, and the menu over where it is.
    const following = tabs.active$.pipe(distinctUntilChanged(), skip(1), switchMap(onceSeen)).subscribe((active) => {
      if (active !== undefined && active !== here.current) bar.replace(active);
    });
    return () => following.unsubscribe();
  }, [tabs, bar]);

  useTitles(tabs);
  useForgottenTabs(tabs);
  useUnsavedGuard(tabs);
  useDisableGuard(tabs, pathname);
  return null;
}

const onceSeen = <Value,>(value: Value) => new Observable<Value>((seen) => afterPaint(() => seen.next(value)));

/** Keeps every tab called as its page is called now: the menu arrives, the language changes, a page names itself. */
function useTitles(tabs: TabStore): void {
  const open = useStream(tabs.tabs$, []);
  const titleOf = useLocationTitle();
  const say = useWords();
  useLayoutEffect(() => {
    if (open.length > 0) tabs.name(({ words, location }) => (words ? say(words) : titleOf(location)));
  });
}

/** Closes tabs whose page this user no longer has, once that is certain. */
function useForgottenTabs(tabs: TabStore): void {
  const atlas = useAtlas();
  useEffect(() => {
    if (atlas.menu.status !== 'ready' || !atlas.isSettled) return;
    tabs.retain(({ location }) => resolve(location, atlas).kind !== 'redirect');
  }, [atlas, tabs]);
}

/** Asks before a plugin is disabled whose pages hold unsaved changes. */
function useDisableGuard(tabs: TabStore, pathname: string): void {
  const host = useService(PluginHost);
  const atlas = useAtlas();
  useEffect(
    () =>
      host.guard((ids) => {
        const isTheirs = (location: string) => ids.includes(pluginAt(location, atlas) ?? '');
        return tabs.mayLose(({ location }) => isTheirs(location), isTheirs(pathname));
      }),
    [host, tabs, atlas, pathname],
  );
}

/** The one guard of the console: pages in tabs keep their changes when they are left, others are asked about; so is closing the window. */
function useUnsavedGuard(tabs: TabStore): void {
  const text = useText();
  const dialogs = useService(Dialogs);
  const bar = useService(AddressBar);

  useEffect(() => {
    const question = { title: text('tabs.unsavedTitle'), content: text('tabs.unsavedLeave'), confirm: text('tabs.discard'), cancel: text('tabs.keepEditing') };
    const ask = async () => {
      const discards = await dialogs.confirm({ ...question, danger: true });
      if (discards) tabs.isLoosePageDirty = false;
      return discards;
    };
    return bar.guard({ isNeeded: () => tabs.isLoosePageDirty, ask });
  }, [bar, dialogs, tabs, text]);

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (tabs.isDirty) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [tabs]);
}
