import { CrudPage, Http, Toasts, useCan, useService, useTranslation, useTransportErrorToast } from '#kernel';
import { type DatasourceRow, datasource } from '../contract.ts';
import { datasourceMenu } from '../menus.ts';
import { datasourceMessages, nouns } from './messages.ts';

/** Lists data sources. Top task: find out whether one is reachable, without a further click, because each is tested when a user who may do so saves it. */
export default function DatasourcePage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const showError = useTransportErrorToast();
  const canTest = useCan('datasource_test');
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
      onSaved={(row) => canTest && void test(row).catch(showError)}
      actions={{ row: [{ title: datasourceMessages.test, code: 'datasource_test', onClick: test }] }}
    />
  );
}
