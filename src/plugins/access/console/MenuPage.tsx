import { useState } from 'react';
import { CrudPage, Http, MenuIcon, OrderList, SidePanel, useOrder, useQuery, useService, useTranslation } from '#kernel';
import type { RowOf } from '#shared/contract';
import { codes } from '#shared/menu-entry';
import { type Menu, menuMessages, menus } from '../contract.ts';
import { menuMenu } from '../menus.ts';
import styles from './access.module.css';
import { nouns } from './nouns.ts';

const permissions = codes(menus.menu);

/** Shows the menu level by level: groups, pages, external links and buttons. */
export default function MenuPage() {
  const [reordered, setReordered] = useState<{ readonly parentId: string; readonly reload: () => void }>();
  const done = () => {
    setReordered(undefined);
    reordered?.reload();
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
            { title: menuMessages.addBelow, code: permissions.add, onClick: (row, screen) => screen.add(childOf(row)) },
            { title: menuMessages.reorder, code: permissions.edit, onClick: ({ parentId }, { reload }) => setReordered({ parentId, reload }) },
          ],
        }}
      />
      {reordered && <MenuOrder parentId={reordered.parentId} onClose={done} />}
    </>
  );
}

/** Initial values of a child: a button below a page, a page below a group. */
function childOf({ id, path, code, parentId }: RowOf<typeof Menu>): Partial<RowOf<typeof Menu>> {
  const isGroup = parentId === '0';
  return isGroup ? { parentId: id, category: 1, alias: 'menu', path: `${path ?? ''}/` } : { parentId: id, category: 2, alias: 'add', code: `${code}_` };
}

type MenuPageRow = RowOf<typeof Menu>;

interface MenuOrderProps {
  readonly parentId: string;
  readonly onClose: () => void;
}

/** Sorts the entries below a parent. Each move is saved at once and appears in open consoles at once. */
function MenuOrder({ parentId, onClose }: MenuOrderProps) {
  const t = useTranslation();
  const http = useService(Http);
  const entries = useQuery(menus.lazy, { parentId });
  const { rows, order } = useOrder<MenuPageRow>(entries, async (next) => (await http.send(menus.order, { parentId, ids: next.map(({ id }) => id) })).success);
  return (
    <SidePanel open title={t(menuMessages.reorder)} width={480} onClose={onClose}>
      <p className={styles.orderHint}>{t('order.hint')}</p>
      <OrderList
        rows={rows ?? []}
        nameOf={({ name, nameEn }) => t([name, nameEn || name])}
        iconOf={({ source }) => source && <MenuIcon name={source} />}
        onOrder={(next) => void order(next)}
      />
    </SidePanel>
  );
}
