import dayjs from 'dayjs';
import { useState } from 'react';
import { CrudPage, type CrudScreen, Http, type PendingRowAction, SidePanel, Tag, Toasts, useService, useToday, useTranslation } from '#kernel';
import { dayStates, type ReconciliationRow, reconciliation } from '../contract.ts';
import { reconciliationMenu } from '../menus.ts';
import { Differences } from './Differences.tsx';
import { paymentMessages } from './messages.ts';
import styles from './payment.module.css';

const { compare, ...calls } = reconciliation;
const code = 'reconciliation_compare';
const compareAction: PendingRowAction = {
  title: paymentMessages.compareDay,
  confirm: paymentMessages.compare,
  done: paymentMessages.compared,
  call: compare,
  fields: ['day'],
};

/** Tells whether a day was compared before its end. */
const isEarly = ({ state, comparedTime }: ReconciliationRow) => state === dayStates.awaitingStatement && Boolean(comparedTime);

/** A day without payments on either side. */
const isQuiet = ({ ourCount, theirCount, differences }: ReconciliationRow) => ourCount + theirCount + differences === 0;

/** Lists days compared with the providers' statements, beside the differences of the selected day. */
export default function ReconciliationPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [shown, setShown] = useState<{ readonly row: ReconciliationRow; reload(): void }>();
  const hide = () => {
    shown?.reload();
    setShown(undefined);
  };
  const compareAgain = async ({ day }: ReconciliationRow, { reload }: CrudScreen<ReconciliationRow>) => {
    const answer = await http.send(compare, { day });
    if (!answer.success) return;
    const { state, open } = answer.data;
    if (isEarly(answer.data)) toasts.warning(t(paymentMessages.comparedEarly));
    else if (state === dayStates.awaitingStatement) toasts.warning(t(paymentMessages.noStatement));
    else if (open > 0) toasts.warning(t(paymentMessages.mismatched, { count: open }));
    else toasts.success(t(paymentMessages.matched));
    reload();
  };
  const today = useToday();
  const yesterday = { day: dayjs(today).subtract(1, 'day').format('YYYY-MM-DD') };
  return (
    <>
      <CrudPage
        crud={calls}
        title={reconciliationMenu.title}
        empty={{ title: paymentMessages.noComparisons, hint: paymentMessages.noComparisonsHint }}
        columns={{
          // The statement of a day is complete after the day.
          state: {
            render: (row) => (row.day === today || isEarly(row) ? <Tag tone="neutral">{t(paymentMessages.notFinished)}</Tag> : undefined),
          },
          open: { render: ({ open }) => (open > 0 ? <Tag tone="danger">{open}</Tag> : undefined) },
          createTime: { hidden: true },
        }}
        onRow={(row) => (isQuiet(row) && styles.quiet ? { className: styles.quiet } : {})}
        actions={{
          toolbar: [{ title: paymentMessages.compareDay, code, onClick: (_, { openRowAction }) => openRowAction(yesterday, compareAction) }],
          row: [
            {
              title: paymentMessages.differences,
              isPrimary: true,
              when: ({ differences }) => differences > 0,
              onClick: (row, { reload }) => setShown({ row, reload }),
            },
            { title: paymentMessages.compareAgain, code, onClick: (row, screen) => compareAgain(row, screen) },
          ],
        }}
      />
      {shown && (
        <SidePanel open width={1240} title={t(paymentMessages.differencesOf, { day: shown.row.day })} onClose={hide}>
          <Differences reconciliation={shown.row} />
        </SidePanel>
      )}
    </>
  );
}
