import { type ReactNode, useState } from 'react';
import { CrudPage, SidePanel, useWords } from '#kernel';
import type { Call, RowOf } from '#shared/contract';
import type { Menu as MenuEntry } from '#shared/menu-entry';
import type { Words } from '#shared/text';
import { Menu, scopeWords } from '../contract.ts';

type Page = RowOf<typeof Menu>;

interface PageScopesProps {
  readonly menu: MenuEntry;
  readonly pages: Call;
  readonly heading: Words;
  readonly scopes: (page: Page) => ReactNode;
}

/** Lists pages beside the scopes of the selected one. */
export function PageScopes({ menu, pages, heading, scopes }: PageScopesProps) {
  const say = useWords();
  const [opened, setOpened] = useState<Page>();
  return (
    <>
      <CrudPage
        crud={{ entity: Menu, menu: menu.code, list: pages }}
        title={menu.title}
        fields={['name', 'code', 'path']}
        actions={{ row: [{ title: scopeWords.configure, code: `${menu.code}_setting`, onClick: setOpened }] }}
      />
      {opened && (
        <SidePanel open title={say(heading, { name: opened.name })} onClose={() => setOpened(undefined)}>
          {scopes(opened)}
        </SidePanel>
      )}
    </>
  );
}
