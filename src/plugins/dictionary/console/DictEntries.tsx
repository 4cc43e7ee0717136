import { useMemo } from 'react';
import { CrudPage } from '#kernel';
import { codes } from '#shared/menu-entry';
import { type DictCalls, type DictRow, dictWords } from '../contract.ts';
import { consoleWords } from './words.ts';

/** What is exported and imported are dictionaries, not the entries of one. */
function entriesOf({ export: _export, import: _import, childList, ...calls }: DictCalls) {
  return { ...calls, list: childList };
}

/** The entries of one dictionary as a tree. A new one stands below the dictionary unless another parent is picked. */
export function DictEntries({ calls, of: { id, code } }: { readonly calls: DictCalls; readonly of: DictRow }) {
  const crud = useMemo(() => entriesOf(calls), [calls]);
  return (
    <CrudPage
      crud={crud}
      title={dictWords.configure}
      fields={['dictValue', 'dictKey', 'tone', 'parentId', 'sort', 'isSealed', 'remark']}
      filter={{ parentId: id }}
      parents={{ parentId: { call: calls.tree, input: { code }, root: false } }}
      actions={{ row: [{ title: consoleWords.addBelow, code: codes(calls.menu).add, onClick: (row, screen) => screen.add({ parentId: row.id }) }] }}
    />
  );
}
