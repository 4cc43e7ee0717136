import { Button, Input, Radio } from '@arco-design/web-react';
import { IconFolderAdd } from '@arco-design/web-react/icon';
import type { ReactNode } from 'react';
import { Can, useTranslation } from '#kernel';
import { words } from './messages.ts';
import styles from './resource.module.css';

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
  const t = useTranslation();
  return (
    <div className={styles.bar}>
      {pick}
      <Can code="depart_resource_add">
        <Button icon={<IconFolderAdd />} onClick={onAddFolder}>
          {t(words.addFolder)}
        </Button>
      </Can>
      <Radio.Group type="button" aria-label={t(words.whose)} value={whose} onChange={onWhose}>
        <Radio value="department">{t(words.department)}</Radio>
        <Radio value="mine">{t(words.mine)}</Radio>
      </Radio.Group>
      <Radio.Group type="button" aria-label={t(words.look)} value={look} onChange={onLook}>
        <Radio value="grid">{t(words.grid)}</Radio>
        <Radio value="rows">{t(words.rows)}</Radio>
      </Radio.Group>
      <Input.Search
        key={name === '' ? 'empty' : 'sought'}
        allowClear
        defaultValue={name}
        className={styles.search ?? ''}
        placeholder={t(words.search)}
        aria-label={t(words.search)}
        onSearch={(text) => onFind(text.trim())}
        onClear={() => onFind('')}
      />
    </div>
  );
}
