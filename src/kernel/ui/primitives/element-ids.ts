/** Id of the element the skip link leads to. */
export const mainId = 'main';

/** Id of the button that shows and hides the navigation. */
export const toggleId = 'navigation-toggle';
