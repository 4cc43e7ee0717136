import { CrudPage } from '#kernel';
import { specimen } from '../specimen.ts';

/** Shows a form with a field of every kind in a page. */
export default function SpecimenPagePage() {
  return <CrudPage crud={specimen} presentation="page" formWidth={860} />;
}
