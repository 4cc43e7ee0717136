import { CrudPage } from '#kernel';
import { exhibit, exhibitMenu } from '../contract.ts';

/** Everything on show. */
export default function ExhibitPage() {
  return <CrudPage crud={exhibit} title={exhibitMenu.title} details />;
}
