import { Button, Checkbox, Input, Select } from '@arco-design/web-react';
import { useState } from 'react';
import { CrudPage, Http, LoadedPart, matchesSearch, SidePanel, Toasts, useMutation, usePinyin, useQuery, useService, useTranslation } from '#kernel';
import { code, datasource, type ModelRow, model } from '../contract.ts';
import { modelMenu } from '../menus.ts';
import styles from './codegen.module.css';
import { modelMessages, nouns } from './messages.ts';
import { PrototypeGrid } from './PrototypeGrid.tsx';

/** Lists models of imported tables. Top task: import several tables, 4 clicks (import, select the source, all, import). */
export default function ModelPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [importing, setImporting] = useState<{ reload(): void }>();
  const [edited, setEdited] = useState<ModelRow>();
  const addToGenerator = async (ids: readonly string[]) => {
    const { success, data } = await http.send(code.adopt, { ids: [...ids] });
    if (success) toasts.success(t(modelMessages.addedToGenerator, data));
  };
  return (
    <>
      <CrudPage
        crud={model}
        title={modelMenu.title}
        noun={nouns.model}
        actions={{
          toolbar: [
            { title: modelMessages.importTables, code: 'model_add', onClick: (_, screen) => setImporting(screen) },
            { title: modelMessages.addToGenerator, code: 'code_add', when: () => true, onClick: addToGenerator },
          ],
          row: [{ title: modelMessages.fields, onClick: setEdited }],
        }}
      />
      <SidePanel open={importing !== undefined} title={t(modelMessages.importTables)} width={560} onClose={() => setImporting(undefined)}>
        <ImportTables
          onImported={() => {
            importing?.reload();
            setImporting(undefined);
          }}
        />
      </SidePanel>
      <SidePanel
        open={edited !== undefined}
        title={t(modelMessages.fieldsOf, { name: edited?.modelName ?? '' })}
        width={1320}
        onClose={() => setEdited(undefined)}
      >
        {edited && <PrototypeGrid row={edited} />}
      </SidePanel>
    </>
  );
}

/** Creates models from the tables of a data source. */
function ImportTables({ onImported }: { readonly onImported: () => void }) {
  const t = useTranslation();
  const [source, setSource] = useState<string>();
  const { data: sources = [], isFetching } = useQuery(datasource.select, {});
  return (
    <div className={styles.importTables}>
      <p className={styles.hint}>{t(modelMessages.importHint)}</p>
      <span aria-hidden="true">{t(modelMessages.source)}</span>
      <Select
        aria-label={t(modelMessages.source)}
        onChange={(id: string) => setSource(id)}
        loading={isFetching}
        options={sources.map((one) => ({ value: one.id, label: one.name }))}
      />
      {source && <TableSelect key={source} source={source} onImported={onImported} />}
    </div>
  );
}

interface TableSelectProps {
  readonly source: string;
  readonly onImported: () => void;
}

/** Lists the tables of a data source and imports the selected ones. */
function TableSelect({ source, onImported }: TableSelectProps) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [search, setSearch] = useState('');
  usePinyin(search !== '');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const query = useQuery(model.tableList, { datasourceId: source });
  const found = (query.data ?? []).filter(({ name, comment }) => matchesSearch(`${name} ${comment}`, search));
  const foundNames = found.map(({ name }) => name);

  const importing = useMutation(model.adopt, {
    onSuccess: (data) => {
      toasts.success(t(data.skipped > 0 ? modelMessages.importedAndSkipped : modelMessages.imported, data));
      onImported();
    },
  });
  const select = (names: readonly string[], isOn: boolean) =>
    setSelected(new Set(isOn ? [...selected, ...names] : [...selected].filter((name) => !names.includes(name))));
  return (
    <>
      <Input aria-label={t(modelMessages.find)} placeholder={t(modelMessages.find)} value={search} onChange={setSearch} allowClear />
      <div className={styles.bar}>
        <Checkbox
          checked={foundNames.length > 0 && foundNames.every((name) => selected.has(name))}
          disabled={foundNames.length === 0}
          onChange={(isOn) => select(foundNames, isOn)}
        >
          {t(modelMessages.all)}
        </Checkbox>
        <Button
          type="primary"
          loading={importing.isPending}
          disabled={selected.size === 0}
          onClick={() => void importing.mutate({ datasourceId: source, tables: [...selected] })}
        >
          {t(modelMessages.importCount, { count: selected.size })}
        </Button>
      </div>
      <LoadedPart query={query}>
        {() => (
          <ul className={styles.tables}>
            {found.map(({ name, comment }) => (
              <li key={name}>
                <Checkbox checked={selected.has(name)} onChange={(isOn) => select([name], isOn)}>
                  {name} <span className={styles.hint}>{comment}</span>
                </Checkbox>
              </li>
            ))}
          </ul>
        )}
      </LoadedPart>
      {query.data && found.length === 0 && <p className={styles.hint}>{t(modelMessages.noTables)}</p>}
    </>
  );
}
