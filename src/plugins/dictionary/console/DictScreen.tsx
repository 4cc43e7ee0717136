import { useMemo, useState } from 'react';
import { CrudPage, SidePanel, useWords } from '#kernel';
import type { Words } from '#shared/text';
import { type DictCalls, type DictRow, dictWords } from '../contract.ts';
import { DictEntries } from './DictEntries.tsx';

/** Dictionaries, and beside them the entries of the one being configured. */
export function DictScreen({ calls, title }: { readonly calls: DictCalls; readonly title: Words }) {
  const say = useWords();
  const crud = useMemo(() => ({ ...calls, list: calls.parentList }), [calls]);
  const [configured, configure] = useState<DictRow>();
  return (
    <>
      <CrudPage
        crud={crud}
        title={title}
        fields={['code', 'dictValue', 'sort', 'isSealed', 'remark']}
        actions={{ row: [{ title: dictWords.configure, onClick: configure }] }}
      />
      {configured && (
        <SidePanel open title={say(dictWords.entriesOf, { name: configured.dictValue })} onClose={() => configure(undefined)}>
          <DictEntries calls={calls} of={configured} />
        </SidePanel>
      )}
    </>
  );
}
