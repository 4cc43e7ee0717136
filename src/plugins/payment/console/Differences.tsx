import { CrudPage, type CrudScreen, Http, type PendingRowAction, Toasts, useService, useTranslation } from '#kernel';
import { type DifferenceRow, difference, differenceStates, type ReconciliationRow } from '../contract.ts';
import { words } from './messages.ts';

const { query, close, ...calls } = difference;
const code = 'reconciliation_handle';
const isOpen = ({ state }: DifferenceRow) => state === differenceStates.open;
const closing: PendingRowAction = { title: words.closing, confirm: words.close, done: words.closed, call: close, fields: ['remark'] };

/** Lists the differences of a day; each is resolved by querying the provider or closed by a person with a remark. */
export function Differences({ of }: { readonly of: ReconciliationRow }) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const ask = async ({ id }: DifferenceRow, { reload }: CrudScreen<DifferenceRow>) => {
    const answer = await http.send(query, { id });
    if (!answer.success) return;
    const { state, answer: said } = answer.data;
    if (state === differenceStates.open) toasts.warning(t(words.stillDiffers, { answer: said ?? '' }));
    else toasts.success(t(words.settled));
    reload();
  };
  return (
    <CrudPage
      crud={calls}
      title={words.differences}
      fields={['kind', 'payNo', 'ourAmount', 'theirAmount', 'state', 'ourState', 'answer', 'handlerName', 'handledTime', 'remark', 'providerNo']}
      filter={{ reconciliationId: of.id }}
      actions={{
        row: [
          { title: words.query, code, when: isOpen, onClick: (row, screen) => void ask(row, screen) },
          { title: words.close, code, when: isOpen, onClick: (row, screen) => screen.ask(row, closing) },
        ],
      }}
      details
    />
  );
}
