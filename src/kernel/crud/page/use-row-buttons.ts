import { useEffect, useRef } from 'react';
import { firstValueFrom } from 'rxjs';
import { codes } from '#shared/contract';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { Http } from '../../platform/http/http.ts';
import { observeRequest } from '../../platform/http/observe-request.ts';
import { useTransportErrorToast } from '../../platform/http/use-mutation.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useGrants } from '../../platform/permission/use-can.tsx';
import type { CrudPageProps, CrudScreen, Row } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { isEditable } from '../model/entity-fields.ts';
import { RequestedAction } from '../model/requested-action.ts';
import type { RowButton } from '../table/columns/row-actions.tsx';

/** Functions that take a row out of the list. */
interface RowRemovals {
  readonly remove: (row: Row) => void;
  readonly archive: (row: Row) => void;
}

/** Returns the buttons of each row that this user may use and whose calls exist. */
export function useRowButtons(store: CrudStore, { crud, actions = {} }: CrudPageProps, screen: CrudScreen, { remove, archive }: RowRemovals): RowButton[] {
  const t = useTranslation();
  const may = useGrants();
  const showError = useTransportErrorToast();
  const permitted = codes(crud.menu);
  const deselectAndReload = (row: Row) => {
    store.selectRows([row], false);
    screen.reload();
  };
  useRequestedAction({ crud, actions }, screen);
  const canEdit = actions.edit || crud.entity.editableWhen ? (row: Row) => isEditable(crud.entity, actions, row) : undefined;
  const isDisabled = useStore(store, (state) => state.removing);
  const ownButtons = (actions.row ?? [])
    .filter(({ code }) => may(code))
    .map(
      ({ title, when, moves, isSecondary = false, isPrimary = false, onClick }): RowButton => ({
        key: title[0],
        title: t(title),
        ...isOfferedWhen(when),
        moves,
        isSecondary,
        isPrimary,
        onClick: (row) => Promise.resolve(onClick(row, { ...screen, reload: () => deselectAndReload(row) })).catch(showError),
      }),
    );
  return [
    ...(crud.detail && may(permitted.view) ? [{ key: 'view', title: t('crud.view'), onClick: screen.view }] : []),
    ...ownButtons.filter(({ isPrimary, isSecondary }) => isPrimary && !isSecondary),
    ...(crud.submit && may(permitted.edit) ? [{ key: 'edit', title: t('crud.edit'), ...isOfferedWhen(canEdit), onClick: screen.edit }] : []),
    ...ownButtons.filter(({ isPrimary, isSecondary }) => !isPrimary && !isSecondary),
    ...(crud.remove && may(permitted.delete)
      ? [{ key: 'remove', title: t('crud.remove'), isDanger: true, isDisabled, ...isOfferedWhen(actions.remove), onClick: remove }]
      : []),
    ...(crud.archive && may(permitted.delete) ? [{ key: 'archive', title: t('crud.archive'), onClick: archive }] : []),
    ...ownButtons.filter(({ isSecondary }) => isSecondary),
  ];
}

const isOfferedWhen = (when: RowButton['isOffered']) => (when ? { isOffered: when } : {});

/** Runs an action that was selected for a record outside of this list, with the current state of the record. */
function useRequestedAction({ crud, actions = {} }: Pick<CrudPageProps, 'crud' | 'actions'>, screen: CrudScreen): void {
  const requested = useService(RequestedAction);
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const may = useGrants();
  const showError = useTransportErrorToast();
  const request = useStore(requested, (state) => state.request);

  const run = async (id: string, code: string) => {
    if (!crud.detail) return;
    const answer = await firstValueFrom(observeRequest(http, crud.detail, { id }));
    if ('localizedMessage' in answer) toasts.error(t(answer.localizedMessage));
    if (!answer.success) return;
    const row = answer.data as Row;
    const isOffered = ({ code: actionCode, when }: { readonly code?: string; readonly when?: (row: Row) => boolean }) =>
      actionCode === code && may(actionCode) && when?.(row) !== false;
    const toolbarAction = actions.toolbar?.find(isOffered);
    const rowAction = actions.row?.find(isOffered);
    if (rowAction) await rowAction.onClick(row, screen);
    else if (toolbarAction) await toolbarAction.onClick([id], screen);
    else toasts.warning(t('palette.notPossible'));
  };
  const start = (id: string, code: string) => run(id, code).catch(showError);
  const latest = useRef(start);
  latest.current = start;

  useEffect(() => {
    if (!request) return;
    const taken = requested.take(crud.menu, crud.entity.name);
    if (taken) void latest.current(taken.id, taken.code);
  }, [request, requested, crud]);
}
