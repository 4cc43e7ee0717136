/** The element id of a tab; with `paneId` it ties the tab to its page. */
export const tabId = (key: string): string => `tab:${key}`;

/** The element id of a tab's page. */
export const paneId = (key: string): string => `pane:${key}`;
