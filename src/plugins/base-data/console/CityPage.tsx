import { CrudPage } from '#kernel';
import { city } from '../contract.ts';
import { cityMenu } from '../menus.ts';

/** Cities. Top task: add one, 5 clicks (add, open, province, city, save); its name follows from the region. */
export default function CityPage() {
  return <CrudPage crud={city} title={cityMenu.title} />;
}
