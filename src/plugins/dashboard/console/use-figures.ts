import { useEffect } from 'react';
import { Http, JsonStorage, Live, usePageStore, usePluginOptions, useService } from '#kernel';
import type DashboardOptions from '../options.ts';
import { FigureStore } from './figure-store.ts';

/** Returns the metrics of this page, refreshed while it is shown. */
export function useFigures(): FigureStore {
  const http = useService(Http);
  const storage = useService(JsonStorage);
  const live = useService(Live);
  const { days } = usePluginOptions<typeof DashboardOptions>();
  const store = usePageStore(() => new FigureStore(http, storage, days));
  useEffect(() => store.follow(live), [store, live]);
  return store;
}
