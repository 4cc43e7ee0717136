import { Input } from '@arco-design/web-react';
import { useId, useState } from 'react';
import { CrudPage, SidePanel, useQuery, useTranslation } from '#kernel';
import { baseDataMessages, platform } from '../contract.ts';
import { platformMenu } from '../menus.ts';
import styles from './base-data.module.css';
import { nouns } from './nouns.ts';

/** Shows which platforms accept a pasted link. */
function LinkTest() {
  const t = useTranslation();
  const id = useId();
  const [link, setLink] = useState('');
  const { data } = useQuery(platform.match, { link }, { enabled: link.trim() !== '' });
  const names = data?.map(({ name }) => name).join(' / ');
  return (
    <div className={styles.linkTest}>
      <label htmlFor={id}>{t(baseDataMessages.pasteLink)}</label>
      <Input.TextArea id={id} rows={4} maxLength={2000} value={link} onChange={setLink} />
      <p role="status">{names !== undefined && (names ? t(baseDataMessages.matches, { names }) : t(baseDataMessages.noMatch))}</p>
    </div>
  );
}

/** Lists platforms. Top task: check whether a submitted link is accepted, 1 click and a paste. */
export default function PlatformPage() {
  const t = useTranslation();
  const [isTesting, setIsTesting] = useState(false);
  return (
    <>
      <CrudPage
        crud={platform}
        title={platformMenu.title}
        noun={nouns.platform}
        columns={{ remark: { hidden: true } }}
        actions={{ toolbar: [{ title: baseDataMessages.testLink, code: platform.menu, onClick: () => setIsTesting(true) }] }}
      />
      <SidePanel open={isTesting} title={t(baseDataMessages.testLink)} width={480} onClose={() => setIsTesting(false)}>
        <LinkTest />
      </SidePanel>
    </>
  );
}
