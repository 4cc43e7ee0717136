import { Select } from '@arco-design/web-react';
import { useId, useMemo, useState } from 'react';
import { Http, loadable, useService, useStream, useWords } from '#kernel';
import { datasource } from '../contract.ts';
import styles from './codegen.module.css';
import { TableChooser } from './TableChooser.tsx';
import { modelWords } from './words.ts';

/** Makes models of tables of a data source. */
export function AdoptTables({ onAdopted }: { readonly onAdopted: () => void }) {
  const http = useService(Http);
  const say = useWords();
  const id = useId();
  const [source, choose] = useState<string>();
  const sources = useStream(
    useMemo(() => loadable(http.send(datasource.select, {})), [http]),
    { status: 'loading' },
  );
  return (
    <div className={styles.adopt}>
      <p className={styles.hint}>{say(modelWords.adoptHint)}</p>
      <label htmlFor={`${id}-source`}>{say(modelWords.source)}</label>
      <Select
        id={`${id}-source`}
        onChange={(chosen: string) => choose(chosen)}
        loading={sources.status === 'loading'}
        options={(sources.value ?? []).map((one) => ({ value: one.id, label: one.name }))}
      />
      {source && <TableChooser key={source} source={source} onAdopted={onAdopted} />}
    </div>
  );
}
