import { CrudPage, Http, MenuIcon, useService } from '#kernel';
import { codes, type RowOf } from '#shared/contract';
import { type Menu, menus, menuWords } from '../contract.ts';
import { menuMenu } from '../menus.ts';

const may = codes(menus.menu);

/** The menu, level by level: groups, pages, addresses elsewhere and buttons. */
export default function MenuPage() {
  const http = useService(Http);
  const move = async (id: string, by: -1 | 1, reload: () => void) => {
    const answer = await http.send(menus.move, { id, by });
    if (answer.success) reload();
  };
  return (
    <CrudPage
      crud={menus}
      title={menuMenu.title}
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
          { title: menuWords.addBelow, code: may.add, onClick: (row, screen) => screen.add(below(row)) },
          { title: menuWords.up, code: may.edit, onClick: ({ id }, { reload }) => void move(id, -1, reload) },
          { title: menuWords.down, code: may.edit, onClick: ({ id }, { reload }) => void move(id, 1, reload) },
        ],
      }}
    />
  );
}

/** Below a page that has an address stand its buttons, below a group its pages. */
function below({ id, path, code, parentId }: RowOf<typeof Menu>): Partial<RowOf<typeof Menu>> {
  const isGroup = parentId === '0';
  return isGroup ? { parentId: id, category: 1, alias: 'menu', path: `${path ?? ''}/` } : { parentId: id, category: 2, alias: 'add', code: `${code}_` };
}
