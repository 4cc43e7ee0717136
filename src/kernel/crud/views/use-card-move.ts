import type { InputOf } from '#shared/contract';
import { useService } from '../../base/react/services.tsx';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { Http } from '../../platform/http/http.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudCalls, Row } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { formFields, rowName, type ScreenField } from '../model/entity-fields.ts';
import type { RowButton } from '../table/columns/row-actions.tsx';
import type { ValueGroup } from './use-groups.ts';
import { viewMessages } from './view-messages.ts';

interface CardMoveDeps {
  readonly store: CrudStore;
  readonly crud: CrudCalls;
  readonly by: ScreenField;
  readonly buttons: readonly RowButton[];
}

/**
 * Returns a function that moves a row to another group: by the action of the row that leads there, otherwise by an ordinary edit of the field. The server decides; a card whose
 * move is refused stays where it is, and the reason is shown.
 */
export function useCardMove({ store, crud, by, buttons }: CardMoveDeps): (row: Row, to: ValueGroup) => Promise<void> {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  return async (row, to) => {
    if (String(row[by.name] ?? '') === to.key) return;
    const isOffered = (button: RowButton | undefined) => button !== undefined && (button.isOffered?.(row) ?? true);
    const action = buttons.find(({ moves }) => moves && by.name in moves && String(moves[by.name]) === to.key);
    if (action && isOffered(action)) return action.onClick(row);
    const isEditable = formFields(crud.entity).some(({ name }) => name === by.name) && isOffered(buttons.find(({ key }) => key === 'edit'));
    if (!isEditable || !crud.submit || action) {
      const values = { name: rowName(crud.entity, row, t) ?? row.id, title: to.title };
      return void toasts.warning(t(viewMessages.cannotMove, values));
    }
    const version = row.version === undefined ? {} : { version: row.version };
    const input = { id: row.id, ...version, [by.name]: isBoolean(by) ? to.value === 'true' : to.value } as InputOf<NonNullable<CrudCalls['submit']>>;
    const answer = await http.send(crud.submit, input).catch(() => undefined);
    if (answer?.success) toasts.success(t(viewMessages.moved, { title: to.title }));
    store.reload();
  };
}

const isBoolean = ({ schema }: ScreenField) => (schema as { type?: unknown }).type === 'boolean';
