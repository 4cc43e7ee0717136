import { Input } from '@arco-design/web-react';
import { useId, useState } from 'react';
import { type Observable, of } from 'rxjs';
import { Http, type Loadable, loadable, useService, useStream, useWords } from '#kernel';
import type { ReplyOf } from '#shared/contract';
import { baseDataWords, platform } from '../contract.ts';
import styles from './base-data.module.css';

type LinkTrialResult = Loadable<ReplyOf<typeof platform.match> | null>;
const waiting: LinkTrialResult = { status: 'loading' };
const nothing: Observable<LinkTrialResult> = of(waiting);

/** Shows which platforms accept a pasted link. */
export function LinkTrial() {
  const http = useService(Http);
  const say = useWords();
  const id = useId();
  const [asked, setAsked] = useState({ link: '', answer$: nothing });
  const { value } = useStream(asked.answer$, waiting);
  const enter = (link: string) => setAsked({ link, answer$: link.trim() === '' ? nothing : loadable(http.send(platform.match, { link })) });
  const names = value?.map(({ name }) => name).join(' / ');
  return (
    <div className={styles.trial}>
      <label htmlFor={id}>{say(baseDataWords.pasteLink)}</label>
      <Input.TextArea id={id} rows={4} maxLength={2000} value={asked.link} onChange={enter} />
      <p role="status">{names !== undefined && (names ? say(baseDataWords.fits, { names }) : say(baseDataWords.noneFits))}</p>
    </div>
  );
}
