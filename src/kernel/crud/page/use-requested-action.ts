import { useEffect, useRef } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { Http } from '../../platform/http/http.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useGrants } from '../../platform/permission/use-can.tsx';
import type { CrudPageProps, CrudScreen, Row } from '../model/crud-screen.ts';
import { RequestedAction } from '../model/requested-action.ts';

/** Runs an action on a record of this list that was chosen outside of it, with the record as it is now. */
export function useRequestedAction({ crud, actions = {} }: Pick<CrudPageProps, 'crud' | 'actions'>, screen: CrudScreen): void {
  const requested = useService(RequestedAction);
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const may = useGrants();
  const request = useStore(requested, (state) => state.request);

  const run = async (id: string, code: string) => {
    const found = crud.detail && (await http.send(crud.detail, { id }));
    if (!found?.success) return;
    const row = found.data as Row;
    const isOffered = ({ code: own, when }: { readonly code?: string; readonly when?: (row: Row) => boolean }) =>
      own === code && may(own) && when?.(row) !== false;
    const toolbarAction = actions.toolbar?.find(isOffered);
    const rowAction = actions.row?.find(isOffered);
    if (rowAction) rowAction.onClick(row, screen);
    else if (toolbarAction) toolbarAction.onClick([id], screen);
    else toasts.warning(t('palette.notPossible'));
  };
  const latest = useRef(run);
  latest.current = run;

  useEffect(() => {
    if (!request) return;
    const own = requested.take(crud.menu, crud.entity.name);
    if (own) void latest.current(own.id, own.code);
  }, [request, requested, crud]);
}
