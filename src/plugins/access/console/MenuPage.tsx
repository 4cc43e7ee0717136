import { useState } from 'react';
import { CrudPage, MenuIcon } from '#kernel';
import type { RowOf } from '#shared/contract';
import { codes } from '#shared/menu-entry';
import { type Menu, menuMessages, menus } from '../contract.ts';
import { menuMenu } from '../menus.ts';
import { MenuOrder } from './MenuOrder.tsx';
import { nouns } from './nouns.ts';

const may = codes(menus.menu);

/** Shows the menu level by level: groups, pages, external links and buttons. */
export default function MenuPage() {
  const [arranged, setArranged] = useState<{ readonly parentId: string; readonly reload: () => void }>();
  const done = () => {
    setArranged(undefined);
    arranged?.reload();
  };
  return (
    <>
      <CrudPage
        crud={menus}
        title={menuMenu.title}
        noun={nouns.menu}
        fields={[
          'name',
          'nameEn',
          'parentId',
          'category',
          'code',
          'path',
          'query',
          'source',
          'alias',
          'component',
          'action',
          'isOpen',
          'keepAlive',
          'sort',
          'remark',
        ]}
        parents={{ parentId: { call: menus.tree } }}
        columns={{ source: { render: ({ source }) => source && <MenuIcon name={source} /> } }}
        initial={{ alias: 'menu' }}
        formWidth={760}
        actions={{
          row: [
            { title: menuMessages.addBelow, code: may.add, onClick: (row, screen) => screen.add(below(row)) },
            { title: menuMessages.arrange, code: may.edit, onClick: ({ parentId }, { reload }) => setArranged({ parentId, reload }) },
          ],
        }}
      />
      {arranged && <MenuOrder parentId={arranged.parentId} onClose={done} />}
    </>
  );
}

/** Initial values of a child: a button below a page, a page below a group. */
function below({ id, path, code, parentId }: RowOf<typeof Menu>): Partial<RowOf<typeof Menu>> {
  const isGroup = parentId === '0';
  return isGroup ? { parentId: id, category: 1, alias: 'menu', path: `${path ?? ''}/` } : { parentId: id, category: 2, alias: 'add', code: `${code}_` };
}
