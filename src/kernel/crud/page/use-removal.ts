import { useEffect, useRef, useState } from 'react';
import type { BatchResult } from '#shared/contract';
import type { InUseData, RecordUse } from '#shared/record-uses';
import { useService } from '../../base/react/services.tsx';
import { Dialogs } from '../../platform/feedback/dialogs.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudCalls, CrudPageProps, Row } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { rowName } from '../model/entity-fields.ts';
import type { Removal } from '../model/selection.ts';
import { removedIds } from '../model/selection.ts';
import { useRowsCall } from './use-archiving.ts';
import type { PartialBatch } from './use-batch.ts';

/** A removal that the server refused because other records refer to the rows. */
export interface RefusedRemoval {
  readonly ids: readonly string[];
  readonly message: string;
  readonly uses: readonly RecordUse[];
}

/** Removals of a screen. */
export interface RowRemoval {
  readonly remove: (ids: readonly string[], row?: Row) => Promise<void>;
  /** The last removal if the rows are in use, until it is dismissed. */
  readonly refusal: RefusedRemoval | undefined;
  readonly dismiss: () => void;
}

interface RemovalOptions {
  /** Runs when rows have been removed or restored. */
  readonly changed: () => void;
  /** Receives a removal that has left out some rows. */
  readonly onPartial: (partial: PartialBatch) => void;
}

/** Removes rows after a confirmation that names them and offers to undo it for a few seconds. */
export function useRemoval(
  store: CrudStore,
  { crud, fields }: Pick<CrudPageProps, 'crud' | 'fields'>,
  { changed, onPartial: setPartial }: RemovalOptions,
): RowRemoval {
  const [refusal, setRefusal] = useState<RefusedRemoval>();
  const dialogs = useService(Dialogs);
  const t = useTranslation();
  const restore = useRestoring(store, crud, changed);
  const retry = useRef<NonNullable<PartialBatch['retry']>>(async () => undefined);
  const onPartial = (result: BatchResult) => setPartial({ result, retry: (ids) => retry.current(ids) });
  const announce = useAnnouncement(crud, { restore, changed, onRefused: setRefusal, onPartial });

  useEffect(() => {
    const subscription = store.removed$.subscribe(announce);
    return () => subscription.unsubscribe();
  }, [store, announce]);

  const remove = async (ids: readonly string[], row?: Row) => {
    const only = row ?? (ids.length === 1 ? store.state.selected.get(ids[0] ?? '') : undefined);
    const name = only && rowName(crud.entity, only, t, fields);
    const fallbackTitle = ids.length > 1 ? t('crud.removeMany', { count: ids.length }) : t('crud.removeTitle');
    const question = {
      title: name ? t('crud.removeNamed', { name }) : fallbackTitle,
      content: t('crud.removeQuestion'),
      confirm: t('crud.remove'),
      cancel: t('crud.cancel'),
      danger: true,
    };
    if (await dialogs.confirm(question)) store.remove(ids);
  };
  retry.current = remove;
  return { remove, refusal, dismiss: () => setRefusal(undefined) };
}

interface AnnouncementOptions {
  readonly restore: (ids: readonly string[]) => void;
  readonly changed: () => void;
  readonly onRefused: (refused: RefusedRemoval) => void;
  readonly onPartial: (result: BatchResult) => void;
}

/** Reports the result of a removal; the function is stable, because the language may change while a removal is pending. */
function useAnnouncement(crud: CrudCalls, { restore, changed, onRefused, onPartial }: AnnouncementOptions): (removal: Removal) => void {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const latest = useRef<(removal: Removal) => void>(undefined);
  latest.current = ({ success, localizedMessage, msg = '', code = 0, details, ids, data }) => {
    if (localizedMessage) toasts.error(t(localizedMessage));
    if (!success) {
      const { uses = [] } = (details ?? {}) as Partial<InUseData>;
      if (uses.length > 0) onRefused({ ids, message: msg, uses });
      // The kernel reports an ended or locked session itself.
      else if (!localizedMessage && ![401, 423, 428].includes(code)) toasts.error(msg);
      return;
    }
    const result = data as BatchResult | null | undefined;
    if (result && result.rows.length > 0) onPartial(result);
    const removed = removedIds(ids, result);
    if (removed.length === 0) return;
    toasts.success(t('crud.removed'), crud.restore && { title: t('table.undo'), onClick: () => restore(removed) });
    changed();
  };
  return useRef((removal: Removal) => latest.current?.(removal)).current;
}

function useRestoring(store: CrudStore, crud: CrudCalls, changed: () => void): (ids: readonly string[]) => Promise<void> {
  const send = useRowsCall();
  const toasts = useService(Toasts);
  const t = useTranslation();
  return async (ids) => {
    if (!crud.restore || !(await send(crud.restore, ids))) return;
    toasts.success(t('table.undone'));
    store.reload();
    changed();
  };
}
