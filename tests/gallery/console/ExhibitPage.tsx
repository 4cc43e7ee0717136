import { CrudPage } from '#kernel';
import { exhibit, exhibitMenu } from '../contract.ts';

/** Lists all exhibits. */
export default function ExhibitPage() {
  return <CrudPage crud={exhibit} title={exhibitMenu.title} details />;
}
