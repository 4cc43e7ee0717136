import { TreeSelect } from '@arco-design/web-react';
import { useEffect, useRef } from 'react';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { ParentNode, ParentTrees } from '../model/parent-trees.ts';
import { type ControlProps, useAccessibleName } from './control.ts';

interface ParentChoice {
  readonly key: string;
  readonly title: string;
  readonly disabled: boolean;
  readonly children: ParentChoice[];
}

/** Id of the root, which is no row. */
const rootId = '0';
const noNodes: readonly ParentNode[] = [];

/** Picks the parent row from a tree the server returns; a row cannot be its own ancestor, so it and its descendants are disabled. */
export default function ParentControl({ trees, ...props }: ControlProps) {
  return trees && <ParentSelect {...props} trees={trees} />;
}

function ParentSelect({ trees, ...props }: ControlProps & { readonly trees: ParentTrees }) {
  const { field, id, value, disabled, isInvalid, onChange, parents, rowId } = props;
  const t = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const nodes = useStore(trees, (state) => state[field.name]?.nodes ?? noNodes);
  useAccessibleName(box, '[role=combobox]', props);

  useEffect(() => {
    if (parents) trees.load(field.name, parents);
  }, [trees, field.name, parents]);

  const choices = choicesOf(nodes, rowId, false);
  const root: ParentChoice = { key: rootId, title: t('crud.root'), disabled: false, children: choices };
  const picked = field.excludesRoot ? value : (value ?? rootId);
  return (
    <div ref={box}>
      <TreeSelect
        id={id}
        treeData={field.excludesRoot ? choices : [root]}
        disabled={disabled}
        allowClear={field.excludesRoot ? !field.required : picked !== rootId}
        error={isInvalid}
        treeProps={{ autoExpandParent: true }}
        {...(picked === undefined || picked === null ? {} : { value: String(picked) })}
        onChange={(selected?: string) => onChange(selected || (field.excludesRoot ? undefined : rootId))}
      />
    </div>
  );
}

function choicesOf(nodes: readonly ParentNode[], rowId: string | undefined, isBelowRow: boolean): ParentChoice[] {
  return nodes.map(({ key, title, children }) => {
    const disabled = isBelowRow || key === rowId;
    return { key, title, disabled, children: choicesOf(children, rowId, disabled) };
  });
}
