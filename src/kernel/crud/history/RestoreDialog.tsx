import { Alert, Button } from '@arco-design/web-react';
import { useState } from 'react';
import type { InputOf } from '#shared/contract';
import { useService } from '../../base/react/services.tsx';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useMutation } from '../../platform/http/use-mutation.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { ScreenDialog } from '../form/ScreenDialog.tsx';
import type { CrudCalls, Row } from '../model/crud-screen.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import type { FormatField } from '../model/parent-trees.ts';
import { ChangeTable } from './ChangeTable.tsx';
import { HistoryValue } from './HistoryValue.tsx';
import { historyMessages } from './history-messages.ts';
import { type EarlierValues, restorable } from './restorable.ts';

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
export function RestoreDialog({ crud, row, fields, earlier, format, container, isReloading, onReload, onDone, onClose }: RestoreDialogProps) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const { time, values } = restorable(crud, row, earlier);
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
