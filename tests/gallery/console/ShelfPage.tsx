import { CrudPage } from '#kernel';
import { shelf, shelfMenu } from '../tables.ts';

/** A tree whose branches are fetched when they are opened. */
export default function ShelfPage() {
  return <CrudPage crud={shelf} title={shelfMenu.title} />;
}
