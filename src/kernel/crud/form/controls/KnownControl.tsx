import { AutoComplete } from '@arco-design/web-react';
import { useEffect, useRef, useState } from 'react';
import type { KnownValue } from '#shared/field-traits';
import { Http } from '../../../http/http.ts';
import { useWords } from '../../../i18n/use-words.ts';
import { useService } from '../../../services.tsx';
import { type ControlProps, useNaming } from './control.ts';
import { choicesCall } from './reference-store.ts';

/** Enters a text, with the values the product or a call knows to choose from. */
export default function KnownControl(props: ControlProps) {
  const say = useWords();
  const box = useRef<HTMLDivElement>(null);
  const all = useKnown(props);
  useNaming(box, 'input', props);
  const typed = props.value === undefined || props.value === null ? '' : String(props.value);
  const wanted = typed.toLowerCase();
  const exact = all.find(({ value }) => value === typed);
  // Whoever comes back to what they chose may want another.
  const found = exact ? all : all.filter(({ value, title }) => `${value} ${say(title)}`.toLowerCase().includes(wanted));
  return (
    <div ref={box}>
      <AutoComplete
        disabled={props.disabled}
        {...(props.isWrong ? { status: 'error' as const } : {})}
        value={typed}
        data={found.map(({ value, title }) => ({ value, name: `${value} · ${say(title)}` }))}
        onChange={(value: string) => props.onChange(value.split(' · ')[0])}
      />
      {exact && props.field.traits.knownFrom && <p className="crud-form__help">{say(exact.help)}</p>}
    </div>
  );
}

function useKnown({ field, given }: ControlProps): readonly KnownValue[] {
  const http = useService(Http);
  const path = field.traits.knownFrom?.path;
  const [answered, answer] = useState<readonly KnownValue[]>([]);
  useEffect(() => {
    if (!path) return;
    const leaving = new AbortController();
    void http
      .send(choicesCall({ path }), given ? JSON.parse(given) : {}, { quiet: true, signal: leaving.signal })
      .then((reply) => !leaving.signal.aborted && reply.success && answer(reply.data as readonly KnownValue[]))
      .catch(() => undefined);
    return () => leaving.abort();
  }, [http, path, given]);
  return field.traits.known ?? answered;
}
