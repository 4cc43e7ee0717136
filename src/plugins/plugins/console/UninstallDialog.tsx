import { Checkbox } from '@arco-design/web-react';
import { useState } from 'react';
import { useMutation, useQuery, useTranslation } from '#kernel';
import { packages } from '../package-contract.ts';
import { pluginMessages } from './messages.ts';
import { PackageDialog } from './PackageDialog.tsx';
import styles from './plugins.module.css';

interface UninstallProps {
  readonly id: string;
  /** Title of the plugin. */
  readonly plugin: string;
  readonly onClose: () => void;
  readonly onUninstalled: () => void;
}

/** Asks before a plugin is uninstalled: it names the tables with their rows, which stay unless the operator deletes them too. */
export function UninstallDialog({ id, plugin, onClose, onUninstalled }: UninstallProps) {
  const t = useTranslation();
  const { data, isPending: isReading } = useQuery(packages.data, { id });
  const [withData, setWithData] = useState(false);
  const mutation = useMutation(packages.remove, { quiet: true });
  const { tables = [], holders = [] } = data ?? {};
  const [holder] = holders;
  const uninstall = async () => {
    if (await mutation.mutate({ id, withData })) onUninstalled();
  };
  return (
    <PackageDialog
      title={t(pluginMessages.uninstallQuestion, { plugin })}
      maxWidth={480}
      mutation={mutation}
      confirm={t(pluginMessages.uninstall)}
      status="danger"
      isReading={isReading}
      onConfirm={uninstall}
      onClose={onClose}
    >
      <p>{t(pluginMessages.uninstallContent)}</p>
      {data && <p>{t(tables.length === 0 ? pluginMessages.noTables : withData ? pluginMessages.dataLost : pluginMessages.dataKept)}</p>}
      {tables.length > 0 && (
        <ul className={styles.tables}>
          {tables.map(({ name, rows }) => (
            <li key={name}>{t(pluginMessages.tableRows, { table: name, count: rows })}</li>
          ))}
        </ul>
      )}
      {data && (
        <Checkbox checked={withData} disabled={holder !== undefined || mutation.isPending} onChange={setWithData}>
          {t(pluginMessages.removeData)}
        </Checkbox>
      )}
      {holder && <p className={styles.source}>{t(pluginMessages.heldBy, holder)}</p>}
    </PackageDialog>
  );
}
