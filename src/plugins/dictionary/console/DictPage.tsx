import { useState } from 'react';
import { CrudPage, SidePanel, useWords } from '#kernel';
import { type DictRow, dict, dictMenu, dictWords } from '../contract.ts';
import { DictEntries } from './DictEntries.tsx';

const calls = { ...dict, list: dict.parentList };

/** Dictionaries, and beside them the entries of the one being configured. */
export default function DictPage() {
  const say = useWords();
  const [configured, configure] = useState<DictRow>();
  return (
    <>
      <CrudPage
        crud={calls}
        title={dictMenu.title}
        fields={['code', 'dictValue', 'sort', 'isSealed', 'remark']}
        actions={{ row: [{ title: dictWords.configure, onClick: configure }] }}
      />
      {configured && (
        <SidePanel open title={say(dictWords.entriesOf, { name: configured.dictValue })} onClose={() => configure(undefined)}>
          <DictEntries of={configured} />
        </SidePanel>
      )}
    </>
  );
}
