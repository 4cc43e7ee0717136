import { Button, Input, Radio } from '@arco-design/web-react';
import { IconFolderAdd } from '@arco-design/web-react/icon';
import type { ReactNode } from 'react';
import { Can, useWords } from '#kernel';
import styles from './resource.module.css';
import { words } from './words.ts';

export type ResourceLayout = 'grid' | 'rows';
export type ResourceOwner = 'department' | 'mine';

interface BarProps {
  /** Upload button. */
  readonly pick: ReactNode;
  readonly whose: ResourceOwner;
  readonly look: ResourceLayout;
  readonly name: string;
  readonly onWhose: (whose: ResourceOwner) => void;
  readonly onLook: (look: ResourceLayout) => void;
  readonly onFind: (name: string) => void;
  readonly onAddFolder: () => void;
}

/** Toolbar with filters, view and actions. */
export function Bar({ pick, whose, look, name, onWhose, onLook, onFind, onAddFolder }: BarProps) {
  const say = useWords();
  return (
    <div className={styles.bar}>
      {pick}
      <Can code="depart_resource_add">
        <Button icon={<IconFolderAdd />} onClick={onAddFolder}>
          {say(words.addFolder)}
        </Button>
      </Can>
      <Radio.Group type="button" aria-label={say(words.whose)} value={whose} onChange={onWhose}>
        <Radio value="department">{say(words.department)}</Radio>
        <Radio value="mine">{say(words.mine)}</Radio>
      </Radio.Group>
      <Radio.Group type="button" aria-label={say(words.look)} value={look} onChange={onLook}>
        <Radio value="grid">{say(words.grid)}</Radio>
        <Radio value="rows">{say(words.rows)}</Radio>
      </Radio.Group>
      <Input.Search
        key={name === '' ? 'empty' : 'sought'}
        allowClear
        defaultValue={name}
        className={styles.search ?? ''}
        placeholder={say(words.search)}
        aria-label={say(words.search)}
        onSearch={(text) => onFind(text.trim())}
        onClear={() => onFind('')}
      />
    </div>
  );
}
