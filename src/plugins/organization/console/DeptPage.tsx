import { CrudPage } from '#kernel';
import { codes } from '#shared/menu-entry';
import { dept } from '../contract.ts';
import { deptMenu } from '../menus.ts';
import { consoleMessages, nouns } from './messages.ts';

/** Shows departments as a tree. */
export default function DeptPage() {
  return (
    <CrudPage
      crud={dept}
      title={deptMenu.title}
      noun={nouns.dept}
      fields={['deptName', 'parentId', 'fullName', 'deptCategory', 'sort', 'remark']}
      parents={{ parentId: { call: dept.tree } }}
      actions={{ row: [{ title: consoleMessages.addBelow, code: codes(dept.menu).add, onClick: ({ id }, screen) => screen.add({ parentId: id }) }] }}
    />
  );
}
