import { bladeAuth } from '#shared/blade-auth';
import { useService } from '../../base/react/services.tsx';
import { Dialogs } from '../../platform/feedback/dialogs.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { Http } from '../../platform/http/http.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Preferences } from '../state/preferences.ts';
import { RecentPages } from '../state/recent-pages.ts';
import { TabStore } from '../tabs/tab-store.ts';

/** Clears the server's cache of the operator; a failure is ignored, because it does not concern them. */
export function clearServerCache(http: Http): void {
  void http.send(bladeAuth.clearCache, {}, { quiet: true }).catch(() => undefined);
}

/** Returns a function that, after confirmation, clears the layout and open pages stored in this browser and the server's cache of the operator. */
export function useClearCache(): () => void {
  const t = useTranslation();
  const dialogs = useService(Dialogs);
  const tabs = useService(TabStore);
  const preferences = useService(Preferences);
  const recent = useService(RecentPages);
  const toasts = useService(Toasts);
  const http = useService(Http);
  return async () => {
    const isSure = await dialogs.confirm({ title: t('tabs.clearCache'), content: t('tabs.clearCacheQuestion'), confirm: t('shell.confirm') });
    if (!isSure || !(await tabs.reset())) return;
    preferences.reset();
    recent.clear();
    clearServerCache(http);
    toasts.success(t('tabs.cacheCleared'));
  };
}
