import { useMemo } from 'react';
import { CrudPage } from '#kernel';
import { codes } from '#shared/menu-entry';
import { type DictCalls, type DictRow, dictMessages } from '../contract.ts';
import { consoleMessages } from './messages.ts';
import { nouns } from './nouns.ts';

/** Omits export and import, which cover dictionaries rather than the entries of one. */
function entriesOf({ export: _export, import: _import, childList, ...calls }: DictCalls) {
  return { ...calls, list: childList };
}

interface DictEntriesProps {
  readonly calls: DictCalls;
  readonly of: DictRow;
  /** Called when an entry has become a dictionary. */
  readonly onRaised: () => void;
}

/** Shows the entries of one dictionary as a tree. A new entry is added below the dictionary unless another parent is selected; without a parent it becomes a dictionary. */
export function DictEntries({ calls, of: { id, code }, onRaised }: DictEntriesProps) {
  const crud = useMemo(() => entriesOf(calls), [calls]);
  return (
    <CrudPage
      crud={crud}
      title={dictMessages.configure}
      noun={nouns.dictEntries}
      fields={['dictValue', 'code', 'dictKey', 'tone', 'parentId', 'sort', 'isSealed', 'remark']}
      filter={{ parentId: id }}
      initial={{ code }}
      onSaved={({ parentId }) => parentId === '0' && onRaised()}
      parents={{ parentId: { call: calls.tree, input: { code } } }}
      actions={{ row: [{ title: consoleMessages.addBelow, code: codes(calls.menu).add, onClick: (row, screen) => screen.add({ parentId: row.id }) }] }}
    />
  );
}
