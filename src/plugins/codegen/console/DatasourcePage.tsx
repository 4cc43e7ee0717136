import { CrudPage, Http, Toasts, useService, useTranslation } from '#kernel';
import { type DatasourceRow, datasource } from '../contract.ts';
import { datasourceMenu } from '../menus.ts';
import { datasourceMessages, nouns } from './messages.ts';

/** Lists data sources. Top task: find out whether one is reachable, without a further click, because each is tested when it is saved. */
export default function DatasourcePage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const test = async ({ id, name }: DatasourceRow) => {
    toasts.info(t(datasourceMessages.testing, { name }));
    const { success, data } = await http.send(datasource.test, { id });
    if (!success) return;
    if (data.works) toasts.success(t(datasourceMessages.connected, { detail: data.detail, milliseconds: data.milliseconds }));
    else toasts.error(t(datasourceMessages.connectionFailed, { detail: data.detail }));
  };
  return (
    <CrudPage
      crud={datasource}
      title={datasourceMenu.title}
      noun={nouns.datasource}
      onSaved={(row) => void test(row)}
      actions={{ row: [{ title: datasourceMessages.test, code: 'datasource_test', onClick: (row) => void test(row) }] }}
    />
  );
}
