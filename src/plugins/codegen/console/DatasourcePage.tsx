import { CrudPage, Http, Toasts, useService, useWords } from '#kernel';
import { type DatasourceRow, datasource } from '../contract.ts';
import { datasourceMenu } from '../menus.ts';
import { nouns } from './nouns.ts';
import { datasourceWords } from './words.ts';

/** Lists data sources. Top task: see whether one can be reached, 1 click besides entering it, because a saved one is tested at once. */
export default function DatasourcePage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const say = useWords();
  const test = async ({ id, name }: DatasourceRow) => {
    toasts.info(say(datasourceWords.testing, { name }));
    const { success, data } = await http.send(datasource.test, { id });
    if (!success) return;
    if (data.works) toasts.success(say(datasourceWords.works, { detail: data.detail, milliseconds: data.milliseconds }));
    else toasts.error(say(datasourceWords.fails, { detail: data.detail }));
  };
  return (
    <CrudPage
      crud={datasource}
      title={datasourceMenu.title}
      noun={nouns.datasource}
      onSaved={(row) => void test(row)}
      actions={{ row: [{ title: datasourceWords.test, code: 'datasource_test', onClick: (row) => void test(row) }] }}
    />
  );
}
