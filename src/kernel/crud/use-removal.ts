import { useEffect } from 'react';
import { useText, useWords } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { Dialogs } from '../shell/dialogs.ts';
import { Toasts } from '../shell/toasts.ts';
import type { CrudStore } from './crud-store.ts';

/** Removes rows after asking; with none chosen it says so. */
export function useRemoval(store: CrudStore): (ids: readonly string[]) => Promise<void> {
  const toasts = useService(Toasts);
  const dialogs = useService(Dialogs);
  const text = useText();
  const say = useWords();

  useEffect(() => {
    const announcing = store.removed$.subscribe(({ success, words }) => {
      if (words) toasts.error(say(words));
      if (success) toasts.success(text('crud.removed'));
    });
    return () => announcing.unsubscribe();
  }, [store, toasts, text, say]);

  return async (ids) => {
    if (ids.length === 0) return toasts.warning(text('crud.chooseFirst'));
    const question = {
      title: text('crud.removeTitle'),
      content: text('crud.removeQuestion'),
      confirm: text('crud.remove'),
      cancel: text('crud.cancel'),
      danger: true,
    };
    if (await dialogs.confirm(question)) store.remove(ids);
  };
}
