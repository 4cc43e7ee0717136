import { useEffect } from 'react';
import { Http, JsonStorage, Live, usePageStore, useService } from '#kernel';
import { FigureStore } from './figure-store.ts';

/** The figures of this page, asked for when it is shown. */
export function useFigures(): FigureStore {
  const http = useService(Http);
  const storage = useService(JsonStorage);
  const live = useService(Live);
  const store = usePageStore(() => new FigureStore(http, storage, live));
  useEffect(() => void store.refresh(), [store]);
  return store;
}
