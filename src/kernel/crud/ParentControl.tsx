import { TreeSelect } from '@arco-design/web-react';
import { useEffect, useRef, useState } from 'react';
import { Http } from '../http/http.ts';
import { useText, useWords } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { asking } from './asking.ts';
import type { ControlProps } from './FieldControl.tsx';

interface Answered {
  readonly title?: string;
  readonly value?: string;
  readonly key?: string;
  readonly id?: string;
  readonly children?: readonly Answered[] | null;
}

interface Node {
  readonly key: string;
  readonly title: string;
  readonly disabled: boolean;
  readonly children: Node[];
}

/** Picks the row above from a tree the server answers; a row and what is below it cannot be chosen for itself. */
export default function ParentControl({ field, id, value, disabled, isWrong, onChange, parents, rowId }: ControlProps) {
  const http = useService(Http);
  const text = useText();
  const say = useWords();
  const box = useRef<HTMLDivElement>(null);
  const [answered, setAnswered] = useState<readonly Answered[]>([]);
  const call = parents?.call;
  const input = JSON.stringify(parents?.input ?? {});
  const name = say(field.traits.title);

  useEffect(() => {
    if (!call) return;
    const reading = asking(http, call, JSON.parse(input)).subscribe((answer) => {
      if (answer.success && Array.isArray(answer.data)) setAnswered(answer.data as Answered[]);
    });
    return () => reading.unsubscribe();
  }, [http, call, input]);

  useEffect(() => box.current?.querySelector('[role=combobox]')?.setAttribute('aria-label', name), [name]);

  const root: Node = { key: '0', title: text('crud.root'), disabled: false, children: nodesOf(answered, rowId, false) };
  return (
    <div ref={box}>
      <TreeSelect
        id={id}
        treeData={[root]}
        disabled={disabled}
        error={isWrong}
        treeProps={{ autoExpandParent: true }}
        value={String(value ?? '0')}
        onChange={onChange}
      />
    </div>
  );
}

function nodesOf(answered: readonly Answered[], rowId: string | undefined, isBelowRow: boolean): Node[] {
  return answered.map((node) => {
    const key = String(node.value ?? node.key ?? node.id ?? '');
    const disabled = isBelowRow || key === rowId;
    return { key, title: node.title ?? key, disabled, children: nodesOf(node.children ?? [], rowId, disabled) };
  });
}
