import { useState } from 'react';
import { CrudPage, SidePanel, useWords } from '#kernel';
import { baseDataWords, platform } from '../contract.ts';
import { platformMenu } from '../menus.ts';
import { LinkTrial } from './LinkTrial.tsx';

/** Platforms. Top task: see whether a link somebody handed in would be taken, 1 click and a paste. */
export default function PlatformPage() {
  const say = useWords();
  const [isTrying, attempt] = useState(false);
  return (
    <>
      <CrudPage
        crud={platform}
        title={platformMenu.title}
        columns={{ remark: { hidden: true } }}
        actions={{ toolbar: [{ title: baseDataWords.tryLink, code: platform.menu, onClick: () => attempt(true) }] }}
      />
      <SidePanel open={isTrying} title={say(baseDataWords.tryLink)} width={480} onClose={() => attempt(false)}>
        <LinkTrial />
      </SidePanel>
    </>
  );
}
