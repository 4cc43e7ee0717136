import { Button, Checkbox, Input, Select } from '@arco-design/web-react';
import { useState } from 'react';
import { CrudPage, Http, SidePanel, Toasts, useMutation, useQuery, useService, useTranslation } from '#kernel';
import { code, datasource, type ModelRow, model } from '../contract.ts';
import { modelMenu } from '../menus.ts';
import styles from './codegen.module.css';
import { modelMessages } from './messages.ts';
import { nouns } from './nouns.ts';
import { PrototypeGrid } from './PrototypeGrid.tsx';

/** Lists models of imported tables. Top task: import several tables, 4 clicks (import, select the source, all, import). */
export default function ModelPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [adopting, setAdopting] = useState<{ reload(): void }>();
  const [shown, setShown] = useState<ModelRow>();
  const configure = async (ids: readonly string[]) => {
    const { success, data } = await http.send(code.adopt, { ids: [...ids] });
    if (success) toasts.success(t(modelMessages.configured, data));
  };
  return (
    <>
      <CrudPage
        crud={model}
        title={modelMenu.title}
        noun={nouns.model}
        actions={{
          toolbar: [
            { title: modelMessages.adopt, code: 'model_add', onClick: (_, screen) => setAdopting(screen) },
            { title: modelMessages.configure, code: 'code_add', when: () => true, onClick: (ids) => void configure(ids) },
          ],
          row: [{ title: modelMessages.fields, onClick: setShown }],
        }}
      />
      <SidePanel open={adopting !== undefined} title={t(modelMessages.adopt)} width={560} onClose={() => setAdopting(undefined)}>
        <AdoptTables
          onAdopted={() => {
            adopting?.reload();
            setAdopting(undefined);
          }}
        />
      </SidePanel>
      <SidePanel
        open={shown !== undefined}
        title={t(modelMessages.fieldsOf, { name: shown?.modelName ?? '' })}
        width={1320}
        onClose={() => setShown(undefined)}
      >
        {shown && <PrototypeGrid of={shown} />}
      </SidePanel>
    </>
  );
}

/** Creates models from the tables of a data source. */
function AdoptTables({ onAdopted }: { readonly onAdopted: () => void }) {
  const t = useTranslation();
  const [source, setSource] = useState<string>();
  const { data: sources = [], isFetching } = useQuery(datasource.select, {});
  return (
    <div className={styles.adopt}>
      <p className={styles.hint}>{t(modelMessages.adoptHint)}</p>
      <span aria-hidden="true">{t(modelMessages.source)}</span>
      <Select
        aria-label={t(modelMessages.source)}
        onChange={(selected: string) => setSource(selected)}
        loading={isFetching}
        options={sources.map((one) => ({ value: one.id, label: one.name }))}
      />
      {source && <TableChooser key={source} source={source} onAdopted={onAdopted} />}
    </div>
  );
}

interface TableChooserProps {
  readonly source: string;
  readonly onAdopted: () => void;
}

/** Lists the tables of a data source and imports the selected ones. */
function TableChooser({ source, onAdopted }: TableChooserProps) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [sought, setSought] = useState('');
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const { data: tables, isFetching } = useQuery(model.tableList, { datasourceId: source });
  const found = (tables ?? []).filter(({ name, comment }) => `${name} ${comment}`.toLowerCase().includes(sought.trim().toLowerCase()));
  const shown = found.map(({ name }) => name);

  const adopt = useMutation(model.adopt, {
    onSuccess: (data) => {
      toasts.success(t(data.skipped > 0 ? modelMessages.takenBefore : modelMessages.taken, data));
      onAdopted();
    },
  });
  const mark = (names: readonly string[], on: boolean) => setTicked(new Set(on ? [...ticked, ...names] : [...ticked].filter((name) => !names.includes(name))));
  return (
    <>
      <Input aria-label={t(modelMessages.find)} placeholder={t(modelMessages.find)} value={sought} onChange={setSought} allowClear />
      <div className={styles.bar}>
        <Checkbox checked={shown.length > 0 && shown.every((name) => ticked.has(name))} disabled={shown.length === 0} onChange={(on) => mark(shown, on)}>
          {t(modelMessages.all)}
        </Checkbox>
        <Button
          type="primary"
          loading={adopt.isPending}
          disabled={ticked.size === 0}
          onClick={() => void adopt.mutate({ datasourceId: source, tables: [...ticked] })}
        >
          {t(modelMessages.take, { count: ticked.size })}
        </Button>
      </div>
      <ul className={styles.tables} aria-busy={isFetching}>
        {found.map(({ name, comment }) => (
          <li key={name}>
            <Checkbox checked={ticked.has(name)} onChange={(on) => mark([name], on)}>
              {name} <span className={styles.hint}>{comment}</span>
            </Checkbox>
          </li>
        ))}
      </ul>
      {tables && found.length === 0 && <p className={styles.hint}>{t(modelMessages.noTables)}</p>}
    </>
  );
}
