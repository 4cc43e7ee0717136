import { useState } from 'react';
import { CrudPage, Http, MenuIcon, useService, useWords } from '#kernel';
import type { RowOf } from '#shared/contract';
import { type TopMenu, topMenu, topMenuWords } from '../contract.ts';
import { topMenuMenu } from '../menus.ts';
import { GrantPanel } from './GrantPanel.tsx';
import type { GrantSource } from './grant-store.ts';

/** Parts of the console in the top bar, each with its pages. */
export default function TopMenuPage() {
  const http = useService(Http);
  const say = useWords();
  const [opened, open] = useState<RowOf<typeof TopMenu>>();
  return (
    <>
      <CrudPage
        crud={topMenu}
        title={topMenuMenu.title}
        columns={{ source: { render: ({ source }) => source && <MenuIcon name={source} /> } }}
        actions={{ row: [{ title: topMenuWords.pages, code: 'topmenu_setting', onClick: open }] }}
      />
      {opened && <GrantPanel title={say(topMenuWords.pagesOf, { name: opened.name })} source={pagesOf(http, opened.id)} onClose={() => open(undefined)} />}
    </>
  );
}

const pagesOf = (http: Http, topMenuId: string): GrantSource => ({
  tree: async (signal) => {
    const answer = await http.send(topMenu.grantTree, {}, { signal });
    return answer.success ? { ...answer, data: answer.data.menu } : answer;
  },
  chosen: async (signal) => {
    const answer = await http.send(topMenu.grantedKeys, { topMenuIds: [topMenuId] }, { signal });
    return answer.success ? { ...answer, data: answer.data.menu } : answer;
  },
  save: (menuIds) => http.send(topMenu.grant, { topMenuIds: [topMenuId], menuIds }),
});
