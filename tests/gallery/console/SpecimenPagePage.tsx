import { CrudPage } from '#kernel';
import { specimen } from '../specimen.ts';

/** A field of every kind, in a page. */
export default function SpecimenPagePage() {
  return <CrudPage crud={specimen} presentation="page" formWidth={860} />;
}
