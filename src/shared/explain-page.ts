/** Where "why may they, why not" is answered: the page's code and its address. */
export const explainPage = { code: 'permission_explain', path: '/authority/explain' } as const;
