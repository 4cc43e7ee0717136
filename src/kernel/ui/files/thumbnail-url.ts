/** Returns the link of a stored picture's thumbnail; any other link is returned unchanged. */
export const thumbnailUrl = (link: string): string => link.replace(/^([^#]*[?&]key=[0-9a-f]{32}[^#]*)/, '$1&view=small');
