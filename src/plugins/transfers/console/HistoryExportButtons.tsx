import { Button } from '@arco-design/web-react';
import { type CrudCalls, Toasts, useMutation, useService, useTranslation, useTransportErrorToast } from '#kernel';
import type { InputOf } from '#shared/contract';
import { transferMessages } from './messages.ts';
import { SheetIcon } from './TransferButtons.tsx';
import { TransferCentre } from './transfer-centre.ts';

type HistoryExport = NonNullable<CrudCalls['historyExport']>;

/** Offers the history of a record as a file. */
export default function HistoryExportButtons({ crud: { historyExport }, id }: { readonly crud: CrudCalls; readonly id: string }) {
  return historyExport ? <ExportButtons call={historyExport} id={id} /> : null;
}

function ExportButtons({ call, id }: { readonly call: HistoryExport; readonly id: string }) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const centre = useService(TransferCentre);
  const showError = useTransportErrorToast();
  const { isPending, mutate } = useMutation<HistoryExport>(call, {
    onSuccess: (row) => {
      void centre.refresh();
      if (row.state === 'done') centre.download(row.id).catch(showError);
      else toasts.info(t(transferMessages.background));
    },
  });
  const start = (format: InputOf<HistoryExport>['format']) => void mutate({ id, format });
  return (
    <>
      <Button size="small" icon={<SheetIcon name="export" />} loading={isPending} onClick={() => start('xlsx')}>
        {t(transferMessages.historyXlsx)}
      </Button>
      <Button size="small" icon={<SheetIcon name="export" />} disabled={isPending} onClick={() => start('csv')}>
        {t(transferMessages.historyCsv)}
      </Button>
    </>
  );
}
