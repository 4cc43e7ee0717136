import { CrudPage } from '#kernel';
import { place, placeMenu } from '../contract.ts';

/** Shows rooms, walls and shelves as a tree. */
export default function PlacePage() {
  return <CrudPage crud={place} title={placeMenu.title} parents={{ parentId: { call: place.tree } }} />;
}
