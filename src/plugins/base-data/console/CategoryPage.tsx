import { CrudPage } from '#kernel';
import { codes } from '#shared/menu-entry';
import { baseDataMessages, category } from '../contract.ts';
import { categoryMenu } from '../menus.ts';
import { nouns } from './nouns.ts';

/** Lists categories as a tree. */
export default function CategoryPage() {
  return (
    <CrudPage
      crud={category}
      title={categoryMenu.title}
      noun={nouns.category}
      fields={['name', 'parentId', 'icon', 'sort', 'status', 'remark', 'createTime']}
      parents={{ parentId: { call: category.choices } }}
      actions={{ row: [{ title: baseDataMessages.addBelow, code: codes(category.menu).add, onClick: ({ id }, screen) => screen.add({ parentId: id }) }] }}
    />
  );
}
