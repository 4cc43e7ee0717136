import { CrudPage } from '#kernel';
import { codes } from '#shared/contract';
import { type DictRow, dict, dictWords } from '../contract.ts';
import { consoleWords } from './words.ts';

const calls = { ...dict, list: dict.childList };

/** The entries of one dictionary as a tree. A new one stands below the dictionary unless another parent is picked. */
export function DictEntries({ of: { id, code } }: { readonly of: DictRow }) {
  return (
    <CrudPage
      crud={calls}
      title={dictWords.configure}
      fields={['dictValue', 'dictKey', 'parentId', 'sort', 'isSealed', 'remark']}
      filter={{ parentId: id }}
      parents={{ parentId: { call: dict.tree, input: { code }, root: false } }}
      actions={{ row: [{ title: consoleWords.addBelow, code: codes(dict.menu).add, onClick: (row, screen) => screen.add({ parentId: row.id }) }] }}
    />
  );
}
