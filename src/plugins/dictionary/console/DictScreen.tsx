import { useMemo, useState } from 'react';
import { CrudPage, type CrudScreen, SidePanel, useWords } from '#kernel';
import type { Words } from '#shared/text';
import { type DictCalls, type DictRow, dictWords } from '../contract.ts';
import { DictEntries } from './DictEntries.tsx';
import { nouns } from './nouns.ts';

/** Shows dictionaries beside the entries of the selected one. */
export function DictScreen({ calls, title }: { readonly calls: DictCalls; readonly title: Words }) {
  const say = useWords();
  const crud = useMemo(() => ({ ...calls, list: calls.parentList }), [calls]);
  const [configured, setConfigured] = useState<{ readonly row: DictRow; readonly screen: CrudScreen<DictRow> }>();
  return (
    <>
      <CrudPage
        crud={crud}
        title={title}
        noun={nouns.dict}
        fields={['code', 'dictValue', 'sort', 'isSealed', 'remark']}
        actions={{ row: [{ title: dictWords.configure, onClick: (row, screen) => setConfigured({ row, screen }) }] }}
      />
      {configured && (
        <SidePanel open title={say(dictWords.entriesOf, { name: configured.row.dictValue })} onClose={() => setConfigured(undefined)}>
          <DictEntries calls={calls} of={configured.row} onRaised={configured.screen.reload} />
        </SidePanel>
      )}
    </>
  );
}
