import { CrudPage } from '#kernel';
import { place, placeMenu } from '../contract.ts';

/** Rooms, walls and shelves as a tree. */
export default function PlacePage() {
  return <CrudPage crud={place} title={placeMenu.title} parents={{ parentId: { call: place.tree } }} />;
}
