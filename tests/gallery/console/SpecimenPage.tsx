import { CrudPage } from '#kernel';
import { specimen, specimenMenu } from '../specimen.ts';

/** Shows a form with a field of every kind. */
export default function SpecimenPage() {
  return <CrudPage crud={specimen} title={specimenMenu.title} formWidth={860} />;
}
