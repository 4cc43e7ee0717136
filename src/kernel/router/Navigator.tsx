import { useEffect, useLayoutEffect, useRef } from 'react';
import { useBlocker, useLocation, useNavigate } from 'react-router-dom';
import { distinctUntilChanged, skip } from 'rxjs';
import { Session } from '../auth/session.ts';
import { useText } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { Dialogs } from '../shell/dialogs.ts';
import { RecentPages } from '../shell/recent-pages.ts';
import { keyOf } from '../tabs/tab-rules.ts';
import { TabStore } from '../tabs/tab-store.ts';
import { useAtlas, usePlace } from './atlas.tsx';
import { usePlaceTitle } from './place-title.ts';
import { Progress } from './progress.ts';
import { isTabPlace, resolve } from './resolve.ts';

/** Keeps address bar and tabs in step, follows redirects, and asks before unsaved changes are left behind. Shows nothing. */
export function Navigator() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const session = useService(Session);
  const tabs = useService(TabStore);
  const progress = useService(Progress);
  const recent = useService(RecentPages);
  const { homePath } = useAtlas();
  const place = usePlace(pathname);
  const title = usePlaceTitle()(place);
  const here = useRef('');

  useLayoutEffect(() => {
    const location = keyOf(pathname + search);
    if (location !== here.current) (tabs.active === location ? progress.finish : progress.begin)();
    here.current = location;
    if (!session.verify()) return;
    if (place.kind === 'redirect') navigate(place.to + (place.to.startsWith(pathname) ? search : ''), { replace: true, state: { from: pathname } });
    else if (isTabPlace(place)) {
      tabs.open({ location: pathname + search, title });
      if (pathname !== homePath) recent.visit(pathname + search);
    } else tabs.leave();
  }, [pathname, search, place, title, homePath, navigate, session, tabs, recent, progress]);

  useEffect(() => {
    const following = tabs.active$.pipe(distinctUntilChanged(), skip(1)).subscribe((active) => {
      if (active !== undefined && active !== here.current) navigate(active, { replace: true });
    });
    return () => following.unsubscribe();
  }, [tabs, navigate]);

  useForgottenTabs(tabs);
  useUnsavedGuard(tabs);
  return null;
}

/** Closes tabs whose page this user no longer has, once that is certain. */
function useForgottenTabs(tabs: TabStore): void {
  const atlas = useAtlas();
  useEffect(() => {
    if (atlas.menu.status !== 'ready' || !atlas.isSettled) return;
    tabs.retain(({ location }) => resolve(location.replace(/\?.*$/, ''), atlas).kind !== 'redirect');
  }, [atlas, tabs]);
}

/** The one blocker of the console: pages in tabs keep their changes when they are left, others are asked about; so is closing the window. */
function useUnsavedGuard(tabs: TabStore): void {
  const text = useText();
  const dialogs = useService(Dialogs);
  const blocker = useBlocker(() => tabs.isLoosePageDirty);

  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void dialogs
      .confirm({
        title: text('tabs.unsavedTitle'),
        content: text('tabs.unsavedLeave'),
        confirm: text('tabs.discard'),
        cancel: text('tabs.keepEditing'),
        danger: true,
      })
      .then((discards) => {
        if (!discards) return blocker.reset();
        tabs.isLoosePageDirty = false;
        blocker.proceed();
      });
  }, [blocker, dialogs, tabs, text]);

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (tabs.isDirty) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [tabs]);
}
