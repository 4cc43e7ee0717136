import { AutoComplete } from '@arco-design/web-react';
import { useRef } from 'react';
import { useWords } from '../../../i18n/use-words.ts';
import { type ControlProps, useNaming } from './control.ts';

/** Enters a text, with the values the product knows to choose from. */
export default function KnownControl(props: ControlProps) {
  const say = useWords();
  const box = useRef<HTMLDivElement>(null);
  useNaming(box, 'input', props);
  const typed = props.value === undefined || props.value === null ? '' : String(props.value);
  const wanted = typed.toLowerCase();
  const found = (props.field.traits.known ?? []).filter(({ value, title }) => `${value} ${say(title)}`.toLowerCase().includes(wanted));
  return (
    <div ref={box}>
      <AutoComplete
        disabled={props.disabled}
        {...(props.isWrong ? { status: 'error' as const } : {})}
        value={typed}
        data={found.map(({ value, title }) => ({ value, name: `${value} · ${say(title)}` }))}
        onChange={(value: string) => props.onChange(value.split(' · ')[0])}
      />
    </div>
  );
}
