import { useEffect, useRef, useState } from 'react';
import { Subscription } from 'rxjs';
import { type ColumnTotals, maxTotalledRows } from '#shared/contract';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { Http } from '../../platform/http/http.ts';
import { observeRequest, type RequestResult } from '../../platform/http/observe-request.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { exactMoneyText, numberText } from '../model/cell-text.ts';
import type { CrudCalls } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ScreenField } from '../model/entity-fields.ts';

interface TotalsLineProps {
  readonly store: CrudStore;
  readonly crud: CrudCalls;
  /** Fields whose columns have a total. */
  readonly fields: readonly ScreenField[];
}

/** Shows sums and averages over all rows that match the filters, of every page. */
export default function TotalsLine({ store, crud, fields }: TotalsLineProps) {
  const t = useTranslation();
  const totals = useTotals(store, crud);
  if (totals === undefined) return null;
  if (totals === null) return <span>{t('table.totalsTooMany', { count: maxTotalledRows.toLocaleString('en') })}</span>;
  return (
    <dl aria-label={t('table.totals')}>
      {fields.map(({ name, traits }) => {
        const total = totals[name];
        const format = traits.widget === 'money' ? exactMoneyText : numberText;
        const values = total && { sum: format(total.sum ?? '0'), average: format(total.average) };
        return (
          values && (
            <div key={name}>
              <dt>{t(traits.title)}</dt>
              <dd>{t(total.sum === undefined ? 'table.average' : 'table.total', values)}</dd>
            </div>
          )
        );
      })}
    </dl>
  );
}

/** Milliseconds after the rows are shown until their totals are requested. */
const delayMs = 120;

/** Requests the totals once the rows are shown, and again when filters or rows have changed, but not when only the page turns. */
function useTotals(store: CrudStore, { list }: CrudCalls): ColumnTotals | null | undefined {
  const http = useService(Http);
  const rows = useStore(store, (state) => (state.status === 'ready' ? state.rows : undefined));
  const [totals, setTotals] = useState<ColumnTotals | null>();
  const last = useRef({ filters: '', page: '' });
  const pending = useRef(new Subscription());

  useEffect(() => {
    if (!rows) return;
    const { current, size, sort } = store.state.query;
    const input = store.filterInput();
    const request = { filters: JSON.stringify(input), page: JSON.stringify([current, size, sort]) };
    const isPageTurned = request.filters === last.current.filters && request.page !== last.current.page;
    if (request.filters !== last.current.filters) setTotals(undefined);
    last.current = request;
    if (isPageTurned) return;
    pending.current.unsubscribe();
    pending.current = new Subscription();
    const timer = setTimeout(() => {
      const answers = observeRequest(http, list, { ...input, totals: true }, { quiet: true });
      const show = (answer: RequestResult) => setTotals(answer.success ? (answer.data as { totals?: ColumnTotals | null }).totals : undefined);
      pending.current.add(answers.subscribe(show));
    }, delayMs);
    pending.current.add(() => clearTimeout(timer));
  }, [store, list, http, rows]);
  useEffect(() => () => pending.current.unsubscribe(), []);
  return totals;
}
