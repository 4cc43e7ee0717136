import { CrudPage } from '#kernel';
import { shelf, shelfMenu } from '../tables.ts';

/** Shows a tree whose branches are loaded when they are expanded. */
export default function ShelfPage() {
  return <CrudPage crud={shelf} title={shelfMenu.title} />;
}
