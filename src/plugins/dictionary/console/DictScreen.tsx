import { useMemo, useState } from 'react';
import { CrudPage, type CrudScreen, SidePanel, useTranslation } from '#kernel';
import type { LocalizedText } from '#shared/text';
import { type DictCalls, type DictRow, dictMessages } from '../contract.ts';
import { DictEntries } from './DictEntries.tsx';
import { nouns } from './nouns.ts';

/** Shows dictionaries beside the entries of the selected one. */
export function DictScreen({ calls, title }: { readonly calls: DictCalls; readonly title: LocalizedText }) {
  const t = useTranslation();
  const crud = useMemo(() => ({ ...calls, list: calls.parentList }), [calls]);
  const [configured, setConfigured] = useState<{ readonly row: DictRow; readonly screen: CrudScreen<DictRow> }>();
  return (
    <>
      <CrudPage
        crud={crud}
        title={title}
        noun={nouns.dict}
        fields={['code', 'dictValue', 'sort', 'isSealed', 'remark']}
        actions={{ row: [{ title: dictMessages.configure, onClick: (row, screen) => setConfigured({ row, screen }) }] }}
      />
      {configured && (
        <SidePanel open title={t(dictMessages.entriesOf, { name: configured.row.dictValue })} onClose={() => setConfigured(undefined)}>
          <DictEntries calls={calls} of={configured.row} onRaised={configured.screen.reload} />
        </SidePanel>
      )}
    </>
  );
}
