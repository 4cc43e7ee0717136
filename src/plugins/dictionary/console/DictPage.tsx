import { useState } from 'react';
import { CrudPage } from '#kernel';
import type { RowOf } from '#shared/contract';
import { dictHeads, dictMenu, dictWords } from '../contract.ts';
import { DictEntries } from './DictEntries.tsx';

/** Dictionaries, and beside them the entries of the one being configured. */
export default function DictPage() {
  const [configured, configure] = useState<RowOf<typeof dictHeads.entity>>();
  return (
    <>
      <CrudPage
        crud={dictHeads}
        title={dictMenu.title}
        columns={{ createTime: { hidden: true } }}
        actions={{ row: [{ title: dictWords.configure, onClick: configure }] }}
      />
      {configured && <DictEntries of={configured} onClose={() => configure(undefined)} />}
    </>
  );
}
