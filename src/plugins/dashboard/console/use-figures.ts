import { useEffect } from 'react';
import { Http, JsonStorage, Live, usePageStore, useService } from '#kernel';
import { FigureStore } from './figure-store.ts';

/** The figures of this page, followed while it is shown. */
export function useFigures(): FigureStore {
  const http = useService(Http);
  const storage = useService(JsonStorage);
  const live = useService(Live);
  const store = usePageStore(() => new FigureStore(http, storage));
  useEffect(() => store.follow(live), [store, live]);
  return store;
}
