/** The element the skip link leads to. */
export const mainId = 'main';
