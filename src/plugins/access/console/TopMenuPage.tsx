import { useState } from 'react';
import { CrudPage, Http, MenuIcon, useService, useTranslation } from '#kernel';
import type { RowOf } from '#shared/contract';
import { type TopMenu, topMenu, topMenuMessages } from '../contract.ts';
import { topMenuMenu } from '../menus.ts';
import { GrantPanel } from './GrantPanel.tsx';
import type { GrantSource } from './grant-store.ts';
import { nouns } from './nouns.ts';

/** Lists top menus of the console and the pages of each. */
export default function TopMenuPage() {
  const http = useService(Http);
  const t = useTranslation();
  const [opened, setOpened] = useState<RowOf<typeof TopMenu>>();
  return (
    <>
      <CrudPage
        crud={topMenu}
        title={topMenuMenu.title}
        noun={nouns.topMenu}
        columns={{ source: { render: ({ source }) => source && <MenuIcon name={source} /> } }}
        actions={{ row: [{ title: topMenuMessages.pages, code: 'topmenu_setting', onClick: setOpened }] }}
      />
      {opened && (
        <GrantPanel title={t(topMenuMessages.pagesOf, { name: opened.name })} source={pagesOf(http, opened.id)} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}

const pagesOf = (http: Http, topMenuId: string): GrantSource => ({
  tree: async (signal) => {
    const answer = await http.send(topMenu.grantTree, {}, { signal });
    return answer.success ? { ...answer, data: answer.data.menu } : answer;
  },
  granted: async (signal) => {
    const answer = await http.send(topMenu.grantedKeys, { topMenuIds: [topMenuId] }, { signal });
    return answer.success ? { ...answer, data: answer.data.menu } : answer;
  },
  save: (menuIds, base) => http.send(topMenu.grant, { topMenuIds: [topMenuId], menuIds, base: { menu: base } }),
});
