import { CrudPage } from '#kernel';
import { specimen } from '../specimen.ts';

/** Shows a form with a field of every kind in a drawer. */
export default function SpecimenDrawerPage() {
  return <CrudPage crud={specimen} presentation="drawer" formWidth={860} />;
}
