/** Menu code and path of the page that explains why a user has a permission or lacks it. */
export const explainPage = { code: 'permission_explain', path: '/authority/explain' } as const;
