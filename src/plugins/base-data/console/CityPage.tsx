import { CrudPage } from '#kernel';
import { city } from '../contract.ts';
import { cityMenu } from '../menus.ts';
import { nouns } from './nouns.ts';

/** Lists cities. Top task: add one, 5 clicks (add, open, province, city, save); its name is taken from the region. */
export default function CityPage() {
  return <CrudPage crud={city} title={cityMenu.title} noun={nouns.city} />;
}
