import { Input } from '@arco-design/web-react';
import { useId, useState } from 'react';
import { type Observable, of } from 'rxjs';
import { CrudPage, Http, type Loadable, loadable, SidePanel, useService, useStream, useTranslation } from '#kernel';
import type { ReplyOf } from '#shared/contract';
import { baseDataMessages, platform } from '../contract.ts';
import { platformMenu } from '../menus.ts';
import styles from './base-data.module.css';
import { nouns } from './nouns.ts';

type LinkTrialResult = Loadable<ReplyOf<typeof platform.match> | null>;
const waiting: LinkTrialResult = { status: 'loading' };
const nothing: Observable<LinkTrialResult> = of(waiting);

/** Shows which platforms accept a pasted link. */
function LinkTrial() {
  const http = useService(Http);
  const t = useTranslation();
  const id = useId();
  const [asked, setAsked] = useState({ link: '', answer$: nothing });
  const { value } = useStream(asked.answer$, waiting);
  const enter = (link: string) => setAsked({ link, answer$: link.trim() === '' ? nothing : loadable(http.send(platform.match, { link })) });
  const names = value?.map(({ name }) => name).join(' / ');
  return (
    <div className={styles.trial}>
      <label htmlFor={id}>{t(baseDataMessages.pasteLink)}</label>
      <Input.TextArea id={id} rows={4} maxLength={2000} value={asked.link} onChange={enter} />
      <p role="status">{names !== undefined && (names ? t(baseDataMessages.fits, { names }) : t(baseDataMessages.noneFits))}</p>
    </div>
  );
}

/** Lists platforms. Top task: check whether a submitted link is accepted, 1 click and a paste. */
export default function PlatformPage() {
  const t = useTranslation();
  const [isTrying, setIsTrying] = useState(false);
  return (
    <>
      <CrudPage
        crud={platform}
        title={platformMenu.title}
        noun={nouns.platform}
        columns={{ remark: { hidden: true } }}
        actions={{ toolbar: [{ title: baseDataMessages.tryLink, code: platform.menu, onClick: () => setIsTrying(true) }] }}
      />
      <SidePanel open={isTrying} title={t(baseDataMessages.tryLink)} width={480} onClose={() => setIsTrying(false)}>
        <LinkTrial />
      </SidePanel>
    </>
  );
}
