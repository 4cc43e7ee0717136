import { useMemo, useState } from 'react';
import { CrudPage, type CrudScreen, SidePanel, useTranslation } from '#kernel';
import { codes } from '#shared/menu-entry';
import type { LocalizedText } from '#shared/text';
import { type DictCalls, type DictRow, titleOfDict } from '../contract.ts';
import { dictMessages, nouns } from './messages.ts';

/** Shows dictionaries beside the entries of the selected one. */
export function DictScreen({ calls, title }: { readonly calls: DictCalls; readonly title: LocalizedText }) {
  const t = useTranslation();
  const crud = useMemo(() => ({ ...calls, list: calls.parentList }), [calls]);
  const [opened, setOpened] = useState<{ readonly row: DictRow; readonly screen: CrudScreen<DictRow> }>();
  return (
    <>
      <CrudPage
        crud={crud}
        title={title}
        noun={nouns.dict}
        fields={['code', 'dictValue', 'dictValueEn', 'sort', 'isSealed', 'remark']}
        actions={{ row: [{ title: dictMessages.configure, onClick: (row, screen) => setOpened({ row, screen }) }] }}
      />
      {opened && (
        <SidePanel open title={t(dictMessages.entriesOf, { name: t(titleOfDict(opened.row)) })} onClose={() => setOpened(undefined)}>
          <DictEntries calls={calls} dictionary={opened.row} onPromoted={opened.screen.reload} />
        </SidePanel>
      )}
    </>
  );
}

/** Omits export and import, which cover dictionaries rather than the entries of one. */
function entriesOf({ export: _export, import: _import, childList, ...calls }: DictCalls) {
  return { ...calls, list: childList };
}

interface DictEntriesProps {
  readonly calls: DictCalls;
  readonly dictionary: DictRow;
  /** Called when an entry has become a dictionary. */
  readonly onPromoted: () => void;
}

/** Shows the entries of one dictionary as a tree. A new entry is added below the dictionary unless another parent is selected; without a parent it becomes a dictionary. */
function DictEntries({ calls, dictionary: { id, code }, onPromoted }: DictEntriesProps) {
  const crud = useMemo(() => entriesOf(calls), [calls]);
  return (
    <CrudPage
      crud={crud}
      title={dictMessages.configure}
      noun={nouns.dictEntries}
      fields={['dictValue', 'code', 'dictKey', 'dictValueEn', 'tone', 'parentId', 'sort', 'isSealed', 'remark']}
      filter={{ parentId: id }}
      initial={{ code }}
      onSaved={({ parentId }) => parentId === '0' && onPromoted()}
      parents={{ parentId: { call: calls.tree, input: { code } } }}
      actions={{ row: [{ title: dictMessages.addBelow, code: codes(calls.menu).add, onClick: (row, screen) => screen.add({ parentId: row.id }) }] }}
    />
  );
}
