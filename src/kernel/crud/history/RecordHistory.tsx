import { Button } from '@arco-design/web-react';
import { Suspense, useState } from 'react';
import type { TSchema } from 'typebox';
import type { Crud } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import type { ChangedValue, HistoryEntry, HistoryPage } from '#shared/history-schemas';
import { useService } from '../../base/react/services.tsx';
import { Http } from '../../platform/http/http.ts';
import { useMutation } from '../../platform/http/use-mutation.ts';
import { useQuery } from '../../platform/http/use-query.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Illustration } from '../../ui/errors/Illustration.tsx';
import { ContributionBoundary } from '../../ui/slots/ContributionBoundary.tsx';
import { useSlot } from '../../ui/slots/slots.ts';
import type { CrudCalls, Row } from '../model/crud-screen.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import type { FormatField } from '../model/parent-trees.ts';
import { HistoryItem, HistoryValue } from './HistoryItem.tsx';
import { RecordHistoryItems } from './history-items.ts';
import { historyMessages } from './history-messages.ts';

import { type EarlierValues, restorableValues, valuesAfter } from './restorable.ts';
import './history.css';
import { Alert } from '@arco-design/web-react';
import type { InputOf } from '#shared/contract';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { ScreenDialog } from '../form/ScreenDialog.tsx';
import { ChangeTable } from './ChangeTable.tsx';

interface RecordHistoryProps {
  readonly crud: CrudCalls;
  readonly call: NonNullable<Crud['history']>;
  /** The record as it is now. */
  readonly row: Row;
  readonly mayEdit: boolean;
  readonly format: FormatField;
  readonly container: () => Element;
  readonly isReloading: boolean;
  /** Reads the record again. */
  readonly onReload: () => void;
  /** Runs once earlier values have been restored. */
  readonly onRestored: () => void;
}

/** Shows the changes of a record as a timeline, newest first, and restores a value or a whole version by an ordinary edit. */
export default function RecordHistory({ crud, call, row, mayEdit, format, container, isReloading, onReload, onRestored }: RecordHistoryProps) {
  const t = useTranslation();
  const { entries, isPending, error, hasMore, isLoadingMore, loadMore, refetch } = useHistory(call, row.id);
  const [earlier, setEarlier] = useState<EarlierValues>();
  const fields = fieldsOf(crud);
  const { submit } = crud;

  const restoreAction = (from: EarlierValues) =>
    mayEdit && Object.keys(restorableValues(crud, row, from).values).length > 0 ? () => setEarlier(from) : undefined;
  const onRestoreValue =
    ({ time }: HistoryEntry) =>
    (name: string, [from]: ChangedValue) =>
      restoreAction({ time, values: { [name]: from } });

  return (
    <section className="history" aria-label={t(historyMessages.entries)} aria-busy={isPending}>
      {isPending && <HistorySkeleton />}
      {error && entries.length === 0 && (
        <div className="crud-vacancy" role="alert">
          <p className="crud-vacancy__title">{t(historyMessages.failed)}</p>
          <p>{error.message}</p>
          <Button onClick={refetch}>{t(historyMessages.retry)}</Button>
        </div>
      )}
      {!isPending && !error && entries.length === 0 && (
        <div className="crud-vacancy">
          <Illustration scene="empty" />
          <p className="crud-vacancy__title">{t(historyMessages.empty)}</p>
          <p>{t(historyMessages.emptyHint)}</p>
        </div>
      )}
      {entries.length > 0 && (
        <>
          <HistoryTools crud={crud} id={row.id} />
          <ol className="history__list">
            {entries.map((entry, index) => (
              <HistoryItem
                key={entry.id}
                entry={entry}
                fields={fields}
                row={row}
                format={format}
                onRestoreVersion={index > 0 && entry.action !== 'deleted' ? restoreAction(valuesAfter(entries, index)) : undefined}
                onRestoreValue={onRestoreValue(entry)}
              />
            ))}
          </ol>
        </>
      )}
      {hasMore && (
        <Button long loading={isLoadingMore} onClick={() => void loadMore()}>
          {t(historyMessages.more)}
        </Button>
      )}
      {earlier && submit && (
        <RestoreDialog
          crud={{ ...crud, submit }}
          row={row}
          fields={fields}
          earlier={earlier}
          format={format}
          container={container}
          isReloading={isReloading}
          onReload={() => {
            onReload();
            refetch();
          }}
          onDone={() => {
            setEarlier(undefined);
            refetch();
            onRestored();
          }}
          onClose={() => setEarlier(undefined)}
        />
      )}
    </section>
  );
}

/** Shows what plugins add to the history of a record, such as its export. */
function HistoryTools({ crud, id }: { readonly crud: CrudCalls; readonly id: string }) {
  const items = useSlot(RecordHistoryItems);
  if (items.length === 0) return null;
  return (
    <div className="history__tools">
      {items.map((added) => (
        <ContributionBoundary key={added.key} owner={added}>
          <Suspense>
            <added.part.Item crud={crud} id={id} />
          </Suspense>
        </ContributionBoundary>
      ))}
    </div>
  );
}

function HistorySkeleton() {
  const t = useTranslation();
  return (
    <div className="history__skeleton" role="status">
      <span className="visually-hidden">{t(historyMessages.loading)}</span>
      <i />
      <i />
      <i />
    </div>
  );
}

/** Returns the fields of the record, with those that other plugins add, by name. */
const fieldsOf = ({ entity }: CrudCalls): ReadonlyMap<string, ScreenField> =>
  new Map(
    Object.entries({ ...entity.form.properties, ...entity.fields, ...entity.related } as Record<string, TSchema>).flatMap(
      ([name, schema]): [string, ScreenField][] => {
        const traits = traitsOf(schema);
        return traits ? [[name, { name, schema, traits }]] : [];
      },
    ),
  );

/** Loads the first page of a history, and further ones on request. */
function useHistory(call: NonNullable<Crud['history']>, id: string) {
  const http = useService(Http);
  const { data: first, error, isPending, refetch } = useQuery(call, { id }, { quiet: true });
  const [later, setLater] = useState<HistoryPage & { readonly firstPage: HistoryPage }>();
  const laterPages = later !== undefined && later.firstPage === first ? later : undefined;
  const next = laterPages ? laterPages.next : (first?.next ?? null);
  const { isPending: isLoadingMore, mutate: loadMore } = useMutation(async () => {
    if (!first || next === null) return false;
    const answer = await http.send(call, { id, cursor: next });
    if (answer.success) setLater({ firstPage: first, records: [...(laterPages?.records ?? []), ...answer.data.records], next: answer.data.next });
    return { success: answer.success };
  });
  return { entries: [...(first?.records ?? []), ...(laterPages?.records ?? [])], error, isPending, hasMore: next !== null, isLoadingMore, loadMore, refetch };
}

interface RestoreDialogProps {
  readonly crud: CrudCalls & { readonly submit: NonNullable<CrudCalls['submit']> };
  readonly row: Row;
  readonly fields: ReadonlyMap<string, ScreenField>;
  readonly earlier: EarlierValues;
  readonly format: FormatField;
  readonly container: () => Element;
  /** True while the record is read again. */
  readonly isReloading: boolean;
  /** Reads the record again, whose values may have changed meanwhile. */
  readonly onReload: () => void;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Names what a restore changes, then submits it as an ordinary edit with the version of the record. */
function RestoreDialog({ crud, row, fields, earlier, format, container, isReloading, onReload, onDone, onClose }: RestoreDialogProps) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const { time, values } = restorableValues(crud, row, earlier);
  const { isPending, error, mutate } = useMutation(crud.submit, {
    quiet: true,
    onSuccess: () => {
      toasts.success(t(historyMessages.done));
      onDone();
    },
  });
  // The answer to an earlier version is no longer of interest once the record has been read again.
  const [sent, setSent] = useState<unknown>();
  const problem = sent === row.version ? error : undefined;
  const version = row.version === undefined ? {} : { version: row.version };
  const restore = () => {
    setSent(row.version);
    return mutate({ id: row.id, ...version, ...values } as InputOf<NonNullable<CrudCalls['submit']>>);
  };
  const changes = Object.entries(values);
  const footer = (
    <>
      {problem !== undefined && (
        <Button loading={isReloading} onClick={onReload}>
          {t(historyMessages.reload)}
        </Button>
      )}
      <Button onClick={onClose}>{t(historyMessages.cancel)}</Button>
      <Button type="primary" data-autofocus loading={isPending} disabled={changes.length === 0 || isReloading} onClick={() => void restore()}>
        {t(historyMessages.confirm)}
      </Button>
    </>
  );
  return (
    <ScreenDialog title={t(historyMessages.restoreTitle)} width={560} container={container} footer={footer} onClose={onClose}>
      <p className="history__hint">{t(historyMessages.restoreHint, { time: time.slice(0, 19) })}</p>
      <ChangeTable
        headings={[t(historyMessages.field), t(historyMessages.current), t(historyMessages.restored)]}
        rows={changes.flatMap(([name, value]) => {
          const field = fields.get(name);
          if (!field) return [];
          const cellOf = (shown: unknown) => <HistoryValue field={field} value={shown} row={row} format={format} />;
          return [{ name, title: t(field.traits.title), before: cellOf(row[name]), after: cellOf(value) }];
        })}
      />
      {problem !== undefined && <Alert type="error" content={problem} />}
    </ScreenDialog>
  );
}
