import { CrudPage } from '#kernel';
import { codes } from '#shared/menu-entry';
import { region, regionWords } from '../contract.ts';
import { regionMenu } from '../menus.ts';

/** Regions as a tree that opens level by level; one is added below another, or where its code says. */
export default function RegionPage() {
  return (
    <CrudPage
      crud={region}
      title={regionMenu.title}
      fields={['name', 'code', 'regionLevel', 'sort', 'remark']}
      actions={{
        row: [{ title: regionWords.addBelow, code: codes(region.menu).add, onClick: ({ id, code }, screen) => screen.add({ parentId: id, code }) }],
      }}
    />
  );
}
