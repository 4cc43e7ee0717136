/** Returns the element id of a tab; with `paneId` it links the tab to its page. */
export const tabId = (key: string): string => `tab:${key}`;

/** Returns the element id of a tab's page. */
export const paneId = (key: string): string => `pane:${key}`;
