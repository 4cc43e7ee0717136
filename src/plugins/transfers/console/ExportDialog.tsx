import { Button, Checkbox, Radio } from '@arco-design/web-react';
import { useState } from 'react';
import type { TSchema } from 'typebox';
import {
  type CrudCalls,
  Http,
  type ListToolbarProps,
  ScreenDialog,
  Toasts,
  useCan,
  useMutation,
  useService,
  useTranslation,
  useTransportErrorToast,
} from '#kernel';
import type { InputOf } from '#shared/contract';
import { maskedFieldOf } from '#shared/entity';
import { traitsOf } from '#shared/fields';
import { transferMessages } from './messages.ts';
import { TransferCentre } from './transfer-centre.ts';
import styles from './transfers.module.css';

type ExportDialogProps = Omit<ListToolbarProps, 'onChanged'> & { readonly onClose: () => void };

type ExportedRows = 'view' | 'all' | 'selected';

/** Asks for the rows, columns and file type of an export. A short list is downloaded at once, a long one appears in the download centre. */
export default function ExportDialog({ crud, readList, container, onClose }: ExportDialogProps) {
  const t = useTranslation();
  const [{ query, filter, selected, columns: offered }] = useState(readList);
  const [format, setFormat] = useState<'xlsx' | 'csv'>('xlsx');
  const [scope, setScope] = useState<ExportedRows>(selected.length > 0 ? 'selected' : 'view');
  const [columns, setColumns] = useState<readonly string[]>(() => offered.filter(({ isShown }) => isShown).map(({ name }) => name));
  const [withIds, setWithIds] = useState(false);
  const [personal, setPersonal] = useState(false);
  const maySeePersonal = useCan(crud.entity.personal?.code ?? '');
  const offersPersonal = maySeePersonal && columns.some((name) => maskedFieldOf(crud.entity.fields[name] as TSchema) !== undefined);
  const { isPending, mutate } = useExport(crud, onClose);
  const isReference = (name: string) => traitsOf(crud.entity.fields[name] as TSchema)?.reference !== undefined;
  const offersIds = offered.some(({ name }) => columns.includes(name) && isReference(name));

  const start = () => {
    const viewQuery = scope === 'view' ? query : {};
    const selectionInput = scope === 'selected' ? { ids: [...selected] } : {};
    const fields = offered.map(({ name }) => name).filter((name) => columns.includes(name));
    void mutate({
      format,
      query: { ...viewQuery, ...filter } as Record<string, string>,
      fields,
      ...selectionInput,
      ...(withIds && offersIds ? { withIds } : {}),
      ...(personal && offersPersonal ? { personal } : {}),
    });
  };
  const footer = (
    <>
      <Button onClick={onClose}>{t(transferMessages.cancel)}</Button>
      <Button type="primary" loading={isPending} disabled={columns.length === 0} onClick={start}>
        {t(transferMessages.start)}
      </Button>
    </>
  );
  return (
    <ScreenDialog title={t(transferMessages.exportTitle)} width={560} container={container} footer={footer} onClose={onClose}>
      <fieldset className={styles.line}>
        <legend>{t(transferMessages.format)}</legend>
        <Radio.Group value={format} onChange={setFormat}>
          <Radio value="xlsx">{t(transferMessages.xlsx)}</Radio>
          <Radio value="csv">{t(transferMessages.csv)}</Radio>
        </Radio.Group>
      </fieldset>
      <fieldset className={styles.line}>
        <legend>{t(transferMessages.scope)}</legend>
        <Radio.Group value={scope} onChange={setScope}>
          <Radio value="view">{t(transferMessages.view)}</Radio>
          <Radio value="all">{t(transferMessages.all)}</Radio>
          {selected.length > 0 && <Radio value="selected">{t(transferMessages.selected, { count: selected.length })}</Radio>}
        </Radio.Group>
      </fieldset>
      <fieldset className={styles.line}>
        <legend>{t(transferMessages.columns)}</legend>
        {offered.map(({ name, title }) => (
          <Checkbox
            key={name}
            checked={columns.includes(name)}
            onChange={(isSelected) => setColumns(isSelected ? [...columns, name] : columns.filter((one) => one !== name))}
          >
            {t(title)}
          </Checkbox>
        ))}
      </fieldset>
      {offersIds && (
        <div className={styles.line}>
          <Checkbox checked={withIds} onChange={setWithIds}>
            {t(transferMessages.withIds)}
          </Checkbox>
          <p className={styles.hint}>{t(transferMessages.withIdsHint)}</p>
        </div>
      )}
      {offersPersonal && (
        <div className={styles.line}>
          <Checkbox checked={personal} onChange={setPersonal}>
            {t(transferMessages.personal)}
          </Checkbox>
          <p className={styles.hint}>{t(transferMessages.personalHint)}</p>
        </div>
      )}
    </ScreenDialog>
  );
}

function useExport(crud: CrudCalls, onDone: () => void) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const centre = useService(TransferCentre);
  const t = useTranslation();
  const showError = useTransportErrorToast();
  return useMutation(async (request: InputOf<NonNullable<CrudCalls['export']>>) => {
    const response = crud.export && (await http.send(crud.export, request));
    if (!response?.success) return false;
    const { id, state, progress } = response.data;
    void centre.refresh();
    if (state === 'done') {
      toasts.success(t(transferMessages.ready, { count: progress }));
      centre.download(id).catch(showError);
    } else toasts.info(t(transferMessages.background));
    onDone();
    return true;
  });
}
