import { useEffect, useRef } from 'react';
import { firstValueFrom } from 'rxjs';
import { useService } from '../../base/react/services.tsx';
import { Dialogs } from '../../platform/feedback/dialogs.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { Http } from '../../platform/http/http.ts';
import { observeRequest } from '../../platform/http/observe-request.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudCalls, CrudPageProps, Row } from '../model/crud-screen.ts';
import type { CrudStore, Removal } from '../model/crud-store.ts';
import { rowName } from '../model/entity-fields.ts';

/** Removes rows after a confirmation that names them and offers to undo it for a few seconds. `changed` runs when rows have been removed or restored. */
export function useRemoval(
  store: CrudStore,
  { crud, fields }: Pick<CrudPageProps, 'crud' | 'fields'>,
  changed: () => void,
): (ids: readonly string[], row?: Row) => Promise<void> {
  const dialogs = useService(Dialogs);
  const t = useTranslation();
  const restore = useRestoring(store, crud, changed);
  const announce = useAnnouncement(crud, restore, changed);

  useEffect(() => {
    const announcing = store.removed$.subscribe(announce);
    return () => announcing.unsubscribe();
  }, [store, announce]);

  return async (ids, row) => {
    const only = row ?? (ids.length === 1 ? store.state.selected.get(ids[0] ?? '') : undefined);
    const name = only && rowName(crud.entity, only, fields);
    const several = ids.length > 1 ? t('crud.removeMany', { count: ids.length }) : t('crud.removeTitle');
    const question = {
      title: name ? t('crud.removeNamed', { name }) : several,
      content: t('crud.removeQuestion'),
      confirm: t('crud.remove'),
      cancel: t('crud.cancel'),
      danger: true,
    };
    if (await dialogs.confirm(question)) store.remove(ids);
  };
}

/** Reports the result of a removal; the function is stable, because the language may change while a removal is pending. */
function useAnnouncement(crud: CrudCalls, restore: (ids: readonly string[]) => void, changed: () => void): (removal: Removal) => void {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const latest = useRef<(removal: Removal) => void>(undefined);
  latest.current = ({ success, words, ids }) => {
    if (words) toasts.error(t(words));
    if (!success) return;
    toasts.success(t('crud.removed'), crud.restore && { title: t('table.undo'), onChoose: () => restore(ids) });
    changed();
  };
  return useRef((removal: Removal) => latest.current?.(removal)).current;
}

function useRestoring(store: CrudStore, crud: CrudCalls, changed: () => void): (ids: readonly string[]) => Promise<void> {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  return async (ids) => {
    if (!crud.restore) return;
    const answer = await firstValueFrom(observeRequest(http, crud.restore, { ids: [...ids] }));
    if ('words' in answer) toasts.error(t(answer.words));
    if (!answer.success) return;
    toasts.success(t('table.undone'));
    store.reload();
    changed();
  };
}
