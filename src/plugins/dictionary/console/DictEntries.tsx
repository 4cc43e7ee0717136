import { Drawer } from '@arco-design/web-react';
import { useState } from 'react';
import { CrudPage, useWords } from '#kernel';
import type { RowOf } from '#shared/contract';
import { dict, dictEntries, type dictHeads, dictWords } from '../contract.ts';

interface DictEntriesProps {
  readonly of: RowOf<typeof dictHeads.entity>;
  readonly onClose: () => void;
}

/** The entries of one dictionary as a tree. A new one stands below the dictionary unless another parent is picked. */
export function DictEntries({ of: { id, code, dictValue }, onClose }: DictEntriesProps) {
  const say = useWords();
  const [isOpen, setIsOpen] = useState(true);
  const [opener] = useState(() => document.activeElement);
  const title = say(dictWords.entriesOf, { name: dictValue });

  const leave = () => {
    onClose();
    if (opener instanceof HTMLElement) opener.focus();
  };

  return (
    <Drawer visible={isOpen} width="min(1000px, 100vw)" title={title} footer={null} onCancel={() => setIsOpen(false)} afterClose={leave}>
      <section aria-label={title}>
        <CrudPage
          crud={dictEntries}
          title={dictWords.configure}
          columns={{ createTime: { hidden: true } }}
          filter={{ parentId: id }}
          parents={{ parentId: { call: dict.tree, input: { code } } }}
        />
      </section>
    </Drawer>
  );
}
