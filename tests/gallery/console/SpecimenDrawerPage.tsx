import { CrudPage } from '#kernel';
import { specimen } from '../specimen.ts';

/** A field of every kind, in a drawer. */
export default function SpecimenDrawerPage() {
  return <CrudPage crud={specimen} presentation="drawer" formWidth={860} />;
}
