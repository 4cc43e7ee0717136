import { firstValueFrom } from 'rxjs';
import type { Call } from '#shared/contract';
import { useService } from '../../base/react/services.tsx';
import { Dialogs } from '../../platform/feedback/dialogs.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { Http } from '../../platform/http/http.ts';
import { observeRequest } from '../../platform/http/observe-request.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudPageProps, Row } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { rowName } from '../model/entity-fields.ts';

/** Archiving of a screen's rows. */
interface RowArchiving {
  /** Archives rows after a confirmation that names them. */
  readonly ask: (ids: readonly string[], row?: Row) => Promise<void>;
  /** Archives rows and offers to undo it for a few seconds. */
  readonly archive: (ids: readonly string[]) => Promise<void>;
}

/** Archives rows of a screen whose calls allow it. `changed` runs when rows have been archived or restored. */
export function useArchiving(store: CrudStore, { crud, fields }: Pick<CrudPageProps, 'crud' | 'fields'>, changed: () => void): RowArchiving {
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const send = useRowsCall();
  const t = useTranslation();

  const run = async (call: Call | undefined, ids: readonly string[]) => {
    if (!call || !(await send(call, ids))) return false;
    store.selectRows(
      ids.map((id) => ({ id })),
      false,
    );
    store.reload();
    changed();
    return true;
  };
  const unarchive = async (ids: readonly string[]) => {
    if (await run(crud.unarchive, ids)) toasts.success(t('crud.unarchived'));
  };
  const archive = async (ids: readonly string[]) => {
    if (await run(crud.archive, ids)) toasts.success(t('crud.archived'), { title: t('table.undo'), onClick: () => void unarchive(ids) });
  };
  const ask = async (ids: readonly string[], row?: Row) => {
    const only = row ?? (ids.length === 1 ? store.state.selected.get(ids[0] ?? '') : undefined);
    const name = only && rowName(crud.entity, only, t, fields);
    const question = {
      title: name ? t('crud.archiveNamed', { name }) : t('crud.archiveMany', { count: ids.length }),
      content: t('crud.archiveQuestion'),
      confirm: t('crud.archive'),
      cancel: t('crud.cancel'),
    };
    if (await dialogs.confirm(question)) await archive(ids);
  };
  return { ask, archive };
}

/** Returns a function that sends the ids of rows and returns true on success; errors are shown. */
export function useRowsCall(): (call: Call, ids: readonly string[]) => Promise<boolean> {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  return async (call, ids) => {
    const answer = await firstValueFrom(observeRequest(http, call, { ids: [...ids] }));
    if ('localizedMessage' in answer) toasts.error(t(answer.localizedMessage));
    return answer.success;
  };
}
