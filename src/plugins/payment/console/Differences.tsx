import { CrudPage, type CrudScreen, Http, type PendingRowAction, Tag, Toasts, useService, useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import type { LocalizedText } from '#shared/text';
import { type DifferenceRow, difference, differenceKinds, differenceStates, type ReconciliationRow } from '../contract.ts';
import { paymentMessages } from './messages.ts';
import styles from './payment.module.css';

const { query, close, ...calls } = difference;
const code = 'reconciliation_handle';
const isOpen = ({ state }: DifferenceRow) => state === differenceStates.open;
/** A payment that exists only on the statement is unknown here. */
const isQueryable = (row: DifferenceRow) => isOpen(row) && row.kind !== differenceKinds.providerOnly;
const closeAction: PendingRowAction = {
  title: paymentMessages.closeTitle,
  confirm: paymentMessages.close,
  done: paymentMessages.closed,
  call: close,
  fields: ['remark'],
};

const openTitle = traitsOf(difference.entity.fields.state)?.options?.find(([state]) => state === differenceStates.open)?.[1] ?? ['', ''];

/** Returns what resolves an open difference. */
function nextStep({ kind, answer }: DifferenceRow): LocalizedText {
  if (kind === differenceKinds.providerOnly || kind === differenceKinds.amount) return paymentMessages.checkThenClose;
  if (!answer) return paymentMessages.queryFirst;
  return kind === differenceKinds.localOnly ? paymentMessages.waitThenClose : paymentMessages.checkThenClose;
}

/** Lists the differences of a day; each is resolved by querying the provider or closed by a person with a remark. */
export function Differences({ reconciliation }: { readonly reconciliation: ReconciliationRow }) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const queryProvider = async ({ id }: DifferenceRow, { reload }: CrudScreen<DifferenceRow>) => {
    const answer = await http.send(query, { id });
    if (!answer.success) return;
    const { state, answer: providerState } = answer.data;
    if (state === differenceStates.open) toasts.warning(t(paymentMessages.stillDiffers, { answer: providerState ?? '' }));
    else toasts.success(t(paymentMessages.settled));
    reload();
  };
  return (
    <CrudPage
      crud={calls}
      title={paymentMessages.differences}
      empty={{ title: paymentMessages.noDifferences, hint: paymentMessages.noDifferencesHint }}
      fields={['kind', 'payNo', 'ourAmount', 'theirAmount', 'state', 'ourState', 'answer', 'handlerName', 'handledTime', 'remark', 'providerNo']}
      filter={{ reconciliationId: reconciliation.id }}
      columns={{
        state: {
          width: 220,
          render: (row) =>
            isOpen(row) ? (
              <>
                <Tag tone="warning">{t(openTitle)}</Tag>
                <span className={styles.step}>{t(nextStep(row))}</span>
              </>
            ) : undefined,
        },
      }}
      actions={{
        row: [
          { title: paymentMessages.query, code, when: isQueryable, onClick: (row, screen) => queryProvider(row, screen) },
          { title: paymentMessages.close, code, when: isOpen, onClick: (row, screen) => screen.openRowAction(row, closeAction) },
        ],
      }}
      details
    />
  );
}
