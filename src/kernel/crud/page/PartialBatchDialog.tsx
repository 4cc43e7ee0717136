import { Button } from '@arco-design/web-react';
import { Suspense, useState } from 'react';
import type { BatchResult, RefusedRow } from '#shared/contract';
import { useService } from '../../base/react/services.tsx';
import { copyText } from '../../platform/browser/copy-text.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useMutation } from '../../platform/http/use-mutation.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import RecordDialog from '../form/RecordDialog.tsx';
import { ScreenDialog } from '../form/ScreenDialog.tsx';
import type { CrudCalls } from '../model/crud-screen.ts';
import './partial-batch.css';

export interface PartialBatchDialogProps {
  readonly result: BatchResult;
  /** Calls that show a row; without them its name is no link. */
  readonly crud?: CrudCalls;
  readonly container: () => Element;
  readonly onRetry?: (ids: readonly string[]) => Promise<unknown>;
  readonly onSelect?: (ids: readonly string[]) => void;
  readonly onClose: () => void;
}

const notFound = 404;

/** Reports the rows that a batch has left out, by reason. It stays until the user closes it. */
export default function PartialBatchDialog({ result, crud, container, onRetry, onSelect, onClose }: PartialBatchDialogProps) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const [opened, setOpened] = useState<RefusedRow>();
  const { done, total, rows } = result;
  const ids = rows.map(({ id }) => id);
  const count = rows.length;
  const { isPending: isRetrying, mutate: retry } = useMutation(async () => void (await onRetry?.(ids)));
  const copy = async () => {
    const isCopied = await copyText(rows.map(({ id, title, message }) => `${title ?? id}\t${message}`).join('\n'));
    if (isCopied) toasts.success(t('crud.partialCopied'));
  };
  const select = () => {
    onSelect?.(ids);
    onClose();
  };
  const footer = (
    <>
      <Button onClick={() => void copy()}>{t('crud.partialCopy')}</Button>
      {onSelect && <Button onClick={select}>{t('crud.partialSelect', { count })}</Button>}
      {onRetry && (
        <Button loading={isRetrying} onClick={() => void retry()}>
          {t('crud.partialRetry', { count })}
        </Button>
      )}
      <Button type="primary" data-autofocus onClick={onClose}>
        {t('crud.close')}
      </Button>
    </>
  );
  return (
    <ScreenDialog
      title={t('crud.partialTitle', { done, total, count })}
      width={640}
      container={container}
      maskClosable={false}
      footer={footer}
      onClose={onClose}
    >
      <ul className="crud-partial">
        {byReason(rows).map(({ reason, refused }) => (
          <li key={refused[0]?.id}>
            <p>{reason}</p>
            <ul aria-label={reason}>
              {refused.map((row) => (
                <li key={row.id}>
                  {crud && row.code !== notFound ? (
                    <button type="button" className="crud-partial__link" onClick={() => setOpened(row)}>
                      {row.title || row.id}
                    </button>
                  ) : (
                    (row.title ?? row.id)
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {crud && opened && (
        <Suspense>
          <RecordDialog crud={crud} id={opened.id} name={opened.title ?? undefined} container={container} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </ScreenDialog>
  );
}

interface ReasonGroup {
  readonly reason: string;
  readonly refused: RefusedRow[];
}

/** Groups rows whose messages differ only in the name of the row; the reason of several then contains an ellipsis for it. */
function byReason(rows: readonly RefusedRow[]): ReasonGroup[] {
  const groups = new Map<string, RefusedRow[]>();
  for (const row of rows) {
    const key = row.title ? row.message.replaceAll(row.title, '…') : row.message;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups].map(([key, refused]) => ({ reason: refused.length > 1 ? key : (refused[0]?.message ?? key), refused }));
}
