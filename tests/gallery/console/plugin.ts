import { definePlugin, page } from '#kernel';
import { exhibitMenu, placeMenu } from '../contract.ts';
import { specimenDrawerMenu, specimenMenu, specimenPageMenu } from '../specimen.ts';
import { shelfMenu, visitorMenu } from '../tables.ts';

/** The gallery: screens with every kind of field and table, for journeys. */
export default definePlugin({
  id: 'gallery',
  title: ['展厅', 'Gallery'],
  pages: [
    page(exhibitMenu, () => import('./ExhibitPage.tsx')),
    page(placeMenu, () => import('./PlacePage.tsx')),
    page(shelfMenu, () => import('./ResourceGridPage.tsx')),
    page(visitorMenu, () => import('./VisitorPage.tsx')),
    page(specimenMenu, () => import('./SpecimenPage.tsx')),
    page(specimenDrawerMenu, () => import('./SpecimenDrawerPage.tsx')),
    page(specimenPageMenu, () => import('./SpecimenPagePage.tsx')),
  ],
});
