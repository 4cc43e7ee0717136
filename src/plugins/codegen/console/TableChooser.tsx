import { Button, Checkbox, Input } from '@arco-design/web-react';
import { useMemo, useState } from 'react';
import { Http, loadable, Toasts, useService, useStream, useTranslation } from '#kernel';
import { model } from '../contract.ts';
import styles from './codegen.module.css';
import { modelMessages } from './messages.ts';

interface TableChooserProps {
  readonly source: string;
  readonly onAdopted: () => void;
}

/** Lists the tables of a data source and imports the selected ones. */
export function TableChooser({ source, onAdopted }: TableChooserProps) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [sought, setSought] = useState('');
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [isBusy, setIsBusy] = useState(false);
  const { status, value } = useStream(
    useMemo(() => loadable(http.send(model.tableList, { datasourceId: source })), [http, source]),
    { status: 'loading' },
  );
  const found = (value ?? []).filter(({ name, comment }) => `${name} ${comment}`.toLowerCase().includes(sought.trim().toLowerCase()));
  const shown = found.map(({ name }) => name);

  const adopt = async () => {
    setIsBusy(true);
    const { success, data } = await http.send(model.adopt, { datasourceId: source, tables: [...ticked] }).finally(() => setIsBusy(false));
    if (!success) return;
    toasts.success(t(data.skipped > 0 ? modelMessages.takenBefore : modelMessages.taken, data));
    onAdopted();
  };
  const mark = (names: readonly string[], on: boolean) => setTicked(new Set(on ? [...ticked, ...names] : [...ticked].filter((name) => !names.includes(name))));
  return (
    <>
      <Input aria-label={t(modelMessages.find)} placeholder={t(modelMessages.find)} value={sought} onChange={setSought} allowClear />
      <div className={styles.bar}>
        <Checkbox checked={shown.length > 0 && shown.every((name) => ticked.has(name))} disabled={shown.length === 0} onChange={(on) => mark(shown, on)}>
          {t(modelMessages.all)}
        </Checkbox>
        <Button type="primary" loading={isBusy} disabled={ticked.size === 0} onClick={() => void adopt()}>
          {t(modelMessages.take, { count: ticked.size })}
        </Button>
      </div>
      <ul className={styles.tables} aria-busy={status === 'loading'}>
        {found.map(({ name, comment }) => (
          <li key={name}>
            <Checkbox checked={ticked.has(name)} onChange={(on) => mark([name], on)}>
              {name} <span className={styles.hint}>{comment}</span>
            </Checkbox>
          </li>
        ))}
      </ul>
      {status === 'ready' && found.length === 0 && <p className={styles.hint}>{t(modelMessages.noTables)}</p>}
    </>
  );
}
