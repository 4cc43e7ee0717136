import { useText, useWords } from '../i18n/use-words.ts';
import { useAtlas, useMenuTitles } from './atlas.tsx';
import { type Place, resolve } from './resolve.ts';

/** How a place is called in the reader's language; empty while nobody knows. */
export function usePlaceTitle(): (place: Place) => string {
  const text = useText();
  const say = useWords();
  const titleOf = useMenuTitles();
  return (place) => {
    switch (place.kind) {
      case 'home':
        return text(place.isTab ? 'shell.home' : 'shell.console');
      case 'info':
        return text('shell.personalInfo');
      case 'logs':
        return text('logs.title');
      case 'inspector':
        return '/dev/kernel';
      case 'problem':
        return text(({ 403: 'errors.forbiddenTitle', 404: 'errors.notFoundTitle', 500: 'errors.brokenTitle' } as const)[place.status]);
      case 'page':
        return say(place.item ? titleOf(place.item) : place.page.menu.title);
      case 'unclaimed':
      case 'frame':
        return say(titleOf(place.item));
      case 'menuFailed':
        return text('errors.menuFailedTitle');
      default:
        return '';
    }
  };
}

/** How the page at a location is called; `known` stands in while the menu is on its way. */
export function useLocationTitle(): (location: string, known?: string) => string {
  const atlas = useAtlas();
  const titleOf = usePlaceTitle();
  return (location, known = '') => titleOf(resolve(location, atlas)) || known;
}
