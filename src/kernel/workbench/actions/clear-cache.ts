import { bladeAuth } from '#shared/blade-auth';
import { useService } from '../../base/react/services.tsx';
import { Dialogs } from '../../platform/feedback/dialogs.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { Http } from '../../platform/http/http.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Preferences } from '../state/preferences.ts';
import { RecentPages } from '../state/recent-pages.ts';
import { RecentRecords } from '../state/recent-records.ts';
import { TabStore } from '../tabs/tab-store.ts';

/** Clears the data that the server caches for the user. A failure is ignored, because the console also works with the cached data. */
export function clearServerCache(http: Http): void {
  void http.send(bladeAuth.clearCache, {}, { quiet: true }).catch(() => undefined);
}

/** Returns a function that, after confirmation, clears the layout and open pages stored in this browser and the data that the server caches for the user. */
export function useClearCache(): () => void {
  const t = useTranslation();
  const dialogs = useService(Dialogs);
  const tabs = useService(TabStore);
  const preferences = useService(Preferences);
  const recent = useService(RecentPages);
  const records = useService(RecentRecords);
  const toasts = useService(Toasts);
  const http = useService(Http);
  return async () => {
    const isSure = await dialogs.confirm({ title: t('tabs.clearCache'), content: t('tabs.clearCacheQuestion'), confirm: t('shell.confirm') });
    if (!isSure || !(await tabs.reset())) return;
    preferences.reset();
    recent.clear();
    records.clear();
    clearServerCache(http);
    toasts.success(t('tabs.cacheCleared'));
  };
}
