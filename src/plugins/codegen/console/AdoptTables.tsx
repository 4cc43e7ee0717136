import { Select } from '@arco-design/web-react';
import { useMemo, useState } from 'react';
import { Http, loadable, useService, useStream, useWords } from '#kernel';
import { datasource } from '../contract.ts';
import styles from './codegen.module.css';
import { TableChooser } from './TableChooser.tsx';
import { modelWords } from './words.ts';

/** Creates models from the tables of a data source. */
export function AdoptTables({ onAdopted }: { readonly onAdopted: () => void }) {
  const http = useService(Http);
  const say = useWords();
  const [source, setSource] = useState<string>();
  const sources = useStream(
    useMemo(() => loadable(http.send(datasource.select, {})), [http]),
    { status: 'loading' },
  );
  return (
    <div className={styles.adopt}>
      <p className={styles.hint}>{say(modelWords.adoptHint)}</p>
      <span aria-hidden="true">{say(modelWords.source)}</span>
      <Select
        aria-label={say(modelWords.source)}
        onChange={(chosen: string) => setSource(chosen)}
        loading={sources.status === 'loading'}
        options={(sources.value ?? []).map((one) => ({ value: one.id, label: one.name }))}
      />
      {source && <TableChooser key={source} source={source} onAdopted={onAdopted} />}
    </div>
  );
}
