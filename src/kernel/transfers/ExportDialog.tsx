import { Button, Checkbox, Radio } from '@arco-design/web-react';
import { useState } from 'react';
import { useService } from '../base/react/services.tsx';
import { ScreenDialog } from '../crud/form/ScreenDialog.tsx';
import type { CrudCalls, CrudPageProps } from '../crud/model/crud-screen.ts';
import type { CrudStore } from '../crud/model/crud-store.ts';
import type { ScreenField } from '../crud/model/entity-fields.ts';
import { listInput } from '../crud/model/list-query.ts';
import { shownColumns, type TableSettings } from '../crud/model/table-settings.ts';
import { Toasts } from '../platform/feedback/toasts.ts';
import { Http } from '../platform/http/http.ts';
import { useTranslation } from '../platform/i18n/use-translation.ts';
import { TransferCentre } from './transfer-centre.ts';
import styles from './transfers.module.css';

interface ExportDialogProps {
  readonly store: CrudStore;
  readonly crud: CrudCalls;
  readonly fields: readonly ScreenField[];
  readonly settings: TableSettings;
  readonly filter: CrudPageProps['filter'];
  readonly container: () => Element;
  readonly onClose: () => void;
}

type Scope = 'view' | 'all' | 'selected';

/** Asks for the rows, columns and file type of an export. A short list is downloaded at once, a long one appears in the download centre. */
export default function ExportDialog({ store, crud, fields, settings, filter = {}, container, onClose }: ExportDialogProps) {
  const t = useTranslation();
  const { selected, query } = store.state;
  const [format, setFormat] = useState<'xlsx' | 'csv'>('xlsx');
  const [scope, setScope] = useState<Scope>(selected.size > 0 ? 'selected' : 'view');
  const shown = shownColumns(settings).map(({ name }) => name);
  const [columns, setColumns] = useState<readonly string[]>(shown);
  const { isSending, send } = useExport(crud, onClose);
  const ordered = [...shown, ...fields.map(({ name }) => name).filter((name) => !shown.includes(name))];

  const start = () => {
    const { current: _current, size: _size, ...asked } = listInput(crud, query);
    const narrowed = scope === 'view' ? asked : {};
    const chosen = scope === 'selected' ? { ids: [...selected.keys()] } : {};
    void send({ format, query: { ...narrowed, ...filter } as Record<string, string>, fields: ordered.filter((name) => columns.includes(name)), ...chosen });
  };
  const footer = (
    <>
      <Button onClick={onClose}>{t('transfers.cancel')}</Button>
      <Button type="primary" loading={isSending} disabled={columns.length === 0} onClick={start}>
        {t('transfers.start')}
      </Button>
    </>
  );
  return (
    <ScreenDialog title={t('transfers.exportTitle')} width={560} container={container} footer={footer} onClose={onClose}>
      <fieldset className={styles.line}>
        <legend>{t('transfers.format')}</legend>
        <Radio.Group value={format} onChange={setFormat}>
          <Radio value="xlsx">{t('transfers.xlsx')}</Radio>
          <Radio value="csv">{t('transfers.csv')}</Radio>
        </Radio.Group>
      </fieldset>
      <fieldset className={styles.line}>
        <legend>{t('transfers.scope')}</legend>
        <Radio.Group value={scope} onChange={setScope}>
          <Radio value="view">{t('transfers.view')}</Radio>
          <Radio value="all">{t('transfers.all')}</Radio>
          {selected.size > 0 && <Radio value="selected">{t('transfers.selected', { count: selected.size })}</Radio>}
        </Radio.Group>
      </fieldset>
      <fieldset className={styles.line}>
        <legend>{t('transfers.columns')}</legend>
        {ordered.map((name) => (
          <Checkbox
            key={name}
            checked={columns.includes(name)}
            onChange={(isChosen) => setColumns(isChosen ? [...columns, name] : columns.filter((one) => one !== name))}
          >
            {t(fields.find((field) => field.name === name)?.traits.title ?? [name, name])}
          </Checkbox>
        ))}
      </fieldset>
    </ScreenDialog>
  );
}

type ExportRequest = Parameters<typeof sendExport>[2];
const sendExport = (
  http: Http,
  call: NonNullable<CrudCalls['export']>,
  input: { format: 'csv' | 'xlsx'; query: Record<string, string>; fields: string[]; ids?: string[] },
) => http.send(call, input).catch(() => undefined);

function useExport(crud: CrudCalls, onDone: () => void) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const centre = useService(TransferCentre);
  const t = useTranslation();
  const [isSending, setIsSending] = useState(false);
  const send = async (request: ExportRequest) => {
    if (!crud.export || isSending) return;
    setIsSending(true);
    const answer = await sendExport(http, crud.export, request);
    setIsSending(false);
    if (!answer?.success) return;
    const { id, state, progress } = answer.data;
    void centre.refresh();
    if (state === 'done') {
      toasts.success(t('transfers.ready', { count: progress }));
      void centre.download(id);
    } else toasts.info(t('transfers.background'));
    onDone();
  };
  return { isSending, send };
}
