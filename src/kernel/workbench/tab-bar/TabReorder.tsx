import { useEffect, useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { useText } from '../../platform/i18n/use-words.ts';
import { TabStore } from '../tabs/tab-store.ts';

/** Announces the new position of a moved tab to screen readers. */
export function TabReorder() {
  const text = useText();
  const store = useService(TabStore);
  const tabs = useStream(store.tabs$, []);
  const [move, setMove] = useState<{ readonly key: string; readonly at: number }>();
  useEffect(() => {
    const following = store.moved$.subscribe(setMove);
    return () => following.unsubscribe();
  }, [store]);
  const title = tabs.find(({ key }) => key === move?.key)?.title;
  return (
    <div className="visually-hidden" role="status">
      {move && title !== undefined && text('tabs.moved', { title, place: move.at + 1, count: tabs.length })}
    </div>
  );
}
