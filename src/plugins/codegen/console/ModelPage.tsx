import { Button, Checkbox, Input, Select } from '@arco-design/web-react';
import { useState } from 'react';
import { CrudPage, Http, LoadedPart, matchesSearch, SidePanel, Toasts, useMutation, usePinyin, useQuery, useService, useTranslation } from '#kernel';
import { code, datasource, type ModelRow, maxImportedTables, model } from '../contract.ts';
import { modelMenu } from '../menus.ts';
import styles from './codegen.module.css';
import { modelMessages, nouns } from './messages.ts';
import { PrototypeGrid } from './PrototypeGrid.tsx';

/** Lists models of imported tables. Top task: import several tables, 4 clicks (import, select the source, all, import). */
export default function ModelPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [importScreen, setImportScreen] = useState<{ reload(): void }>();
  const [editedModel, setEditedModel] = useState<ModelRow>();
  const addToGenerator = async (ids: readonly string[]) => {
    const { success, data } = await http.send(code.createFromModels, { ids: [...ids] });
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
            { title: modelMessages.importTables, code: 'model_add', onClick: (_, screen) => setImportScreen(screen) },
            { title: modelMessages.addToGenerator, code: 'code_add', when: () => true, onClick: addToGenerator },
          ],
          row: [{ title: modelMessages.fields, onClick: setEditedModel }],
        }}
      />
      <SidePanel open={importScreen !== undefined} title={t(modelMessages.importTables)} width={560} onClose={() => setImportScreen(undefined)}>
        <ImportTables
          onImported={() => {
            importScreen?.reload();
            setImportScreen(undefined);
          }}
        />
      </SidePanel>
      <SidePanel
        open={editedModel !== undefined}
        title={t(modelMessages.fieldsOf, { name: editedModel?.modelName ?? '' })}
        width={1320}
        onClose={() => setEditedModel(undefined)}
      >
        {editedModel && <PrototypeGrid row={editedModel} />}
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
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [search, setSearch] = useState('');
  usePinyin(search !== '');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const query = useQuery(model.tableList, { datasourceId: source });
  const found = (query.data ?? []).filter(({ name, comment }) => matchesSearch(`${name} ${comment}`, search));
  const foundNames = found.map(({ name }) => name);

  const importing = useMutation(async () => {
    const total = { added: 0, skipped: 0 };
    for (let start = 0; start < selected.size; start += maxImportedTables) {
      const tables = [...selected].slice(start, start + maxImportedTables);
      const { success, data } = await http.send(model.importTables, { datasourceId: source, tables });
      if (!success) return false;
      total.added += data.added;
      total.skipped += data.skipped;
    }
    toasts.success(t(total.skipped > 0 ? modelMessages.importedAndSkipped : modelMessages.imported, total));
    onImported();
    return true;
  });
  const select = (names: readonly string[], isSelected: boolean) =>
    setSelected(new Set(isSelected ? [...selected, ...names] : [...selected].filter((name) => !names.includes(name))));
  return (
    <>
      <Input aria-label={t(modelMessages.find)} placeholder={t(modelMessages.find)} value={search} onChange={setSearch} allowClear />
      <div className={styles.bar}>
        <Checkbox
          checked={foundNames.length > 0 && foundNames.every((name) => selected.has(name))}
          disabled={foundNames.length === 0}
          onChange={(isSelected) => select(foundNames, isSelected)}
        >
          {t(modelMessages.all)}
        </Checkbox>
        <Button type="primary" loading={importing.isPending} disabled={selected.size === 0} onClick={() => void importing.mutate()}>
          {t(modelMessages.importCount, { count: selected.size })}
        </Button>
      </div>
      <LoadedPart query={query}>
        {() => (
          <ul className={styles.tables}>
            {found.map(({ name, comment }) => (
              <li key={name}>
                <Checkbox checked={selected.has(name)} onChange={(isSelected) => select([name], isSelected)}>
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
