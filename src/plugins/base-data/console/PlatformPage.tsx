import { useState } from 'react';
import { CrudPage, SidePanel, useTranslation } from '#kernel';
import { baseDataMessages, platform } from '../contract.ts';
import { platformMenu } from '../menus.ts';
import { LinkTrial } from './LinkTrial.tsx';
import { nouns } from './nouns.ts';

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
