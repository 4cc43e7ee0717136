import { bladeAuth } from '#shared/blade-auth';
import { Http } from '../http/http.ts';
import { useText } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { TabStore } from '../tabs/tab-store.ts';
import { Dialogs } from './dialogs.ts';
import { Preferences } from './preferences.ts';
import { RecentPages } from './recent-pages.ts';
import { Toasts } from './toasts.ts';

/** The server reads anew what it remembers of the operator; whether it could is no matter of theirs. */
export function clearServerCache(http: Http): void {
  void http.send(bladeAuth.clearCache, {}, { quiet: true }).catch(() => undefined);
}

/** Forgets, after asking, what this browser keeps of the layout and the open pages; the server reads anew what it remembers of the operator. */
export function useClearCache(): () => void {
  const text = useText();
  const dialogs = useService(Dialogs);
  const tabs = useService(TabStore);
  const preferences = useService(Preferences);
  const recent = useService(RecentPages);
  const toasts = useService(Toasts);
  const http = useService(Http);
  return async () => {
    const isSure = await dialogs.confirm({
      title: text('tabs.clearCache'),
      content: text('tabs.clearCacheQuestion'),
      confirm: text('shell.confirm'),
      cancel: text('shell.cancel'),
    });
    if (!isSure || !(await tabs.reset())) return;
    preferences.reset();
    recent.clear();
    clearServerCache(http);
    toasts.success(text('tabs.cacheCleared'));
  };
}
