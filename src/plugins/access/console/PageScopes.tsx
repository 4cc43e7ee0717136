import { type ReactNode, useState } from 'react';
import { CrudPage, SidePanel, useTranslation } from '#kernel';
import type { Call, RowOf } from '#shared/contract';
import type { Menu as MenuEntry } from '#shared/menu-entry';
import type { LocalizedText } from '#shared/text';
import { Menu, scopeMessages } from '../contract.ts';

type ScopedPage = RowOf<typeof Menu>;

interface PageScopesProps {
  readonly menu: MenuEntry;
  readonly pages: Call;
  readonly heading: LocalizedText;
  readonly scopes: (page: ScopedPage) => ReactNode;
}

/** Lists pages beside the scopes of the selected one. */
export function PageScopes({ menu, pages, heading, scopes }: PageScopesProps) {
  const t = useTranslation();
  const [opened, setOpened] = useState<ScopedPage>();
  return (
    <>
      <CrudPage
        crud={{ entity: Menu, menu: menu.code, list: pages }}
        title={menu.title}
        empty={{ title: scopeMessages.noPages, hint: scopeMessages.noPagesHint }}
        fields={['name', 'code', 'path']}
        actions={{ row: [{ title: scopeMessages.configure, code: `${menu.code}_setting`, onClick: setOpened }] }}
      />
      {opened && (
        <SidePanel open title={t(heading, { name: t([opened.name, opened.nameEn || opened.name]) })} onClose={() => setOpened(undefined)}>
          {scopes(opened)}
        </SidePanel>
      )}
    </>
  );
}
