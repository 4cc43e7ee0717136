import { TreeSelect } from '@arco-design/web-react';
import { useEffect, useRef } from 'react';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { ParentNode } from '../model/parent-trees.ts';
import { type ControlProps, useAccessibleName } from './control.ts';

interface Choice {
  readonly key: string;
  readonly title: string;
  readonly disabled: boolean;
  readonly children: Choice[];
}

const none: readonly ParentNode[] = [];

/** Picks the parent row from a tree the server returns; a row cannot be its own ancestor, so it and its descendants are disabled. */
export default function ParentControl(props: ControlProps) {
  const { field, id, value, disabled, isWrong, onChange, parents, trees, rowId } = props;
  const t = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const nodes = useStore(trees, (state) => state[field.name]?.nodes ?? none);
  useAccessibleName(box, '[role=combobox]', props);

  useEffect(() => {
    if (parents) trees.load(field.name, parents);
  }, [trees, field.name, parents]);

  const choices = choicesOf(nodes, rowId, false);
  const root: Choice = { key: '0', title: t('crud.root'), disabled: false, children: choices };
  const picked = field.isRootless ? value : (value ?? '0');
  return (
    <div ref={box}>
      <TreeSelect
        id={id}
        treeData={field.isRootless ? choices : [root]}
        disabled={disabled}
        allowClear={field.isRootless ? !field.required : picked !== '0'}
        error={isWrong}
        treeProps={{ autoExpandParent: true }}
        {...(picked === undefined || picked === null ? {} : { value: String(picked) })}
        // '0' is the id of the root.
        onChange={(selected?: string) => onChange(selected || (field.isRootless ? undefined : '0'))}
      />
    </div>
  );
}

function choicesOf(nodes: readonly ParentNode[], rowId: string | undefined, isBelowRow: boolean): Choice[] {
  return nodes.map(({ key, title, children }) => {
    const disabled = isBelowRow || key === rowId;
    return { key, title, disabled, children: choicesOf(children, rowId, disabled) };
  });
}
