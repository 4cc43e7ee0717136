import { Select } from '@arco-design/web-react';
import { useMemo, useState } from 'react';
import { Http, loadable, useService, useStream, useTranslation } from '#kernel';
import { datasource } from '../contract.ts';
import styles from './codegen.module.css';
import { modelMessages } from './messages.ts';
import { TableChooser } from './TableChooser.tsx';

/** Creates models from the tables of a data source. */
export function AdoptTables({ onAdopted }: { readonly onAdopted: () => void }) {
  const http = useService(Http);
  const t = useTranslation();
  const [source, setSource] = useState<string>();
  const sources = useStream(
    useMemo(() => loadable(http.send(datasource.select, {})), [http]),
    { status: 'loading' },
  );
  return (
    <div className={styles.adopt}>
      <p className={styles.hint}>{t(modelMessages.adoptHint)}</p>
      <span aria-hidden="true">{t(modelMessages.source)}</span>
      <Select
        aria-label={t(modelMessages.source)}
        onChange={(chosen: string) => setSource(chosen)}
        loading={sources.status === 'loading'}
        options={(sources.value ?? []).map((one) => ({ value: one.id, label: one.name }))}
      />
      {source && <TableChooser key={source} source={source} onAdopted={onAdopted} />}
    </div>
  );
}
