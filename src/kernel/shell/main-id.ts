/** The element the skip link leads to. */
export const mainId = 'main';

/** The element id of the button that shows and hides the navigation. */
export const toggleId = 'navigation-toggle';
