import { useState } from 'react';
import { type BatchResult, codes } from '#shared/contract';
import { useService } from '../../base/react/services.tsx';
import { Dialogs } from '../../platform/feedback/dialogs.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useTransportErrorToast } from '../../platform/http/use-mutation.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useGrants } from '../../platform/permission/use-can.tsx';
import type { BatchAction, CrudPageProps, CrudScreen } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { flatten, rowName } from '../model/entity-fields.ts';

/** A batch of which a part was done, with the function that repeats it for some rows. */
export interface PartialBatch {
  readonly result: BatchResult;
  /** Absent for a batch whose values are entered in a form. */
  readonly retry?: (ids: readonly string[]) => Promise<unknown>;
}

interface Batches {
  readonly batch: CrudScreen['batch'];
  /** The last batch that left rows out, until it is dismissed. */
  readonly partial: PartialBatch | undefined;
  readonly setPartial: (partial: PartialBatch | undefined) => void;
}

/** Keeps rows selected only while the actions that applied to them when they were selected still do. */
export function useKeptSelection(store: CrudStore, { crud, actions = {} }: CrudPageProps): void {
  const may = useGrants();
  const permitted = codes(crud.menu);
  const conditions = [
    ...(actions.toolbar ?? []).filter(({ code }) => may(code)).map(({ when }) => when),
    ...(crud.remove && may(permitted.delete) ? [actions.remove] : []),
  ];
  store.keepsSelected = (before, now) => conditions.every((when) => !when?.(before) || when(now));
}

/** Runs actions on several rows: asks with the name of one row or the number of several, and reports rows that were left out. */
export function useBatch(store: CrudStore, { crud, fields }: Pick<CrudPageProps, 'crud' | 'fields'>, reload: () => void): Batches {
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const showError = useTransportErrorToast();
  const [partial, setPartial] = useState<PartialBatch>();

  const nameOf = (id: string) => {
    const row = store.state.selected.get(id) ?? flatten(store.state.rows).find((candidate) => candidate.id === id);
    return row && rowName(crud.entity, row, t, fields);
  };
  const isConfirmed = async (ids: readonly string[], { title, question }: BatchAction) => {
    if (!question) return true;
    const name = ids.length === 1 ? nameOf(ids[0] ?? '') : undefined;
    const content = name === undefined ? t(question.many, { count: ids.length }) : t(question.one, { name });
    return dialogs.confirm({ title: t(title), content, confirm: t(title), cancel: t('crud.cancel'), danger: question.isDangerous ?? false });
  };
  const batch = async (ids: readonly string[], action: BatchAction): Promise<boolean> => {
    if (!(await isConfirmed(ids, action))) return false;
    const reply = await action.send(ids).catch(showError);
    if (reply === undefined) return false;
    const { done = ids.length, total = ids.length, rows = [], message = action.done } = reply ?? {};
    const report: PartialBatch = {
      result: { done, total, rows },
      // The report is closed while the action asks for confirmation, and opens again if the action is not repeated.
      retry: async (retriedIds) => {
        setPartial(undefined);
        if (!(await batch(retriedIds, action))) setPartial(report);
      },
    };
    setPartial(rows.length > 0 ? report : undefined);
    if (rows.length === 0) toasts.success(t(message, { count: done }));
    store.selectRows(
      ids.map((id) => ({ id })),
      false,
    );
    reload();
    return true;
  };
  return { batch, partial, setPartial };
}
